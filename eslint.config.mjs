// Lint rules; the import directions of README ("Imports run one way") are held here, .astro files included.
import astro from 'eslint-plugin-astro'
import boundaries from 'eslint-plugin-boundaries'
import hooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

/** A folder from the root on; what is named first wins, so inner folders stand before outer ones. */
const folder = (type, pattern, capture) => ({ type, pattern, partialMatch: false, ...(capture ? { capture } : {}) })

const elements = [
  folder('contract', 'contract'),
  folder('db', 'db'),
  folder('tests', 'tests'),
  folder('scripts', 'scripts'),
  folder('page', 'src/pages'),
  folder('cms', 'src/cms'),
  folder('site-shell', 'src/site'),
  folder('site-base', 'src/{ui,session,tracking}'),
  folder('content-domain', 'src/{landing,advertorial,legal}'),
  // the draft deployment: pages with their content, rendered on request
  folder('drafts', 'src/drafts'),
  folder('site-domain', 'src/*', ['domain']),
  folder('studio', 'studio'),
  // stands in for Stripe, the content lake, the mail server and Meta on this machine; no part of the product
  folder('stand-in', 'stand-ins'),
  folder('stripe', 'payments-service/stripe'),
  folder('http', 'payments-service/http'),
  folder('mail', 'payments-service/mail'),
  folder('queue', 'payments-service/jobs'),
  folder('reaction', 'payments-service/webhooks'),
  folder('use-case', 'payments-service/*', ['domain']),
  // main.ts, app.ts, config.ts …: the wiring, which knows all parts
  folder('service', 'payments-service'),
]

/** Who may import whom. Files of one folder import each other freely; what is not named here is forbidden. */
const allowed = {
  contract: [],
  db: ['contract'],
  'site-base': ['site-base', 'contract'],
  'site-shell': ['site-base', 'contract'],
  'site-domain': ['site-domain', 'site-shell', 'site-base', 'contract'],
  'content-domain': ['cms', 'site-domain', 'site-shell', 'site-base', 'contract'],
  cms: ['contract'],
  drafts: ['cms', 'site-shell', 'contract'],
  page: ['content-domain', 'site-domain', 'site-shell', 'site-base', 'cms', 'contract'],
  studio: ['contract'],
  'stand-in': ['contract'],
  http: ['contract'],
  stripe: ['http', 'contract'],
  mail: ['use-case', 'http', 'db', 'contract'],
  queue: ['use-case', 'mail', 'http', 'db', 'contract'],
  'use-case': ['use-case', 'stripe', 'mail', 'queue', 'http', 'db', 'contract'],
  reaction: ['use-case', 'stripe', 'queue', 'http', 'db', 'contract'],
  service: ['reaction', 'use-case', 'queue', 'stripe', 'mail', 'http', 'db', 'contract'],
  // the bootstrap starts programs and finishes builds by the routing table; tests may import everything
  scripts: ['scripts', 'db', 'site-shell', 'studio', 'stand-in', 'tests', 'contract'],
  tests: elements.map(({ type }) => type),
}

const isTest = '**/*.test.{ts,tsx}'

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '.astro/',
      '.data/',
      'test-results/',
      '**/*.generated.ts',
      'db/types.ts',
      '**/.sanity/',
    ],
  },
  ...tseslint.configs.recommended,
  ...astro.configs['flat/recommended'],
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Playwright's fixtures are told apart by their first parameter, `{}` when they need none.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    // A pattern whose cost grows faster than its text lets one request stop the service.
    ignores: ['tests/**', isTest],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'studio/**/*.tsx'],
    plugins: { 'react-hooks': hooks },
    rules: hooks.configs.recommended.rules,
  },
  {
    files: ['{contract,db,src,studio,payments-service,stand-ins,scripts,tests}/**/*.{ts,tsx,mjs,astro}'],
    ignores: [isTest],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': elements,
      'boundaries/files': [
        { category: 'test', pattern: isTest },
        { category: 'wiring', pattern: 'payments-service/{deps,config}.ts' },
        // started by hand, so with its own way to the configuration
        { category: 'command', pattern: 'payments-service/{stripe/setup,operator/create,privacy/main}.ts' },
      ],
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.astro', '.json'] } },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          checkAllOrigins: true,
          policies: [
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
            ...Object.entries(allowed).map(([from, to]) => ({
              from: { element: { type: from } },
              allow: { to: { element: { types: { anyOf: [from, ...to] } } } },
              message: `{{from.element.types}} may import: ${to.join(', ') || 'nothing'} (eslint.config.mjs, README)`,
            })),
            {
              from: { element: { types: { anyOf: ['stripe', 'mail', 'queue', 'use-case', 'reaction'] } } },
              allow: { to: { file: { categories: 'wiring' } }, dependency: { kind: 'type' } },
            },
            { from: { file: { categories: 'command' } }, allow: { to: { file: { categories: 'wiring' } } } },
            { disallow: { to: { file: { categories: 'test' } } }, message: 'nothing imports a test' },
            {
              from: { element: { types: { noneOf: ['stripe', 'stand-in', 'tests'] } } },
              disallow: { to: { module: { origin: 'external', source: 'stripe' } } },
              message: 'payments-service/stripe is the only importer of the Stripe SDK',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['payments-service/**/*.ts'],
    ignores: [isTest, 'payments-service/stripe/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Literal[value="incomplete_expired"]', 'TemplateElement[value.raw=/incomplete_expired/]'].map(
          (selector) => ({
            selector,
            message: 'What a status of a subscription means is asked of stripe/subscription-status.ts.',
          }),
        ),
      ],
    },
  },
  {
    // CSP: an inline style of server-rendered markup is blocked and lost.
    files: ['src/**/*.{tsx,astro}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name="style"]',
          message:
            'No inline styles: the policy blocks them. Use a class, a data attribute, or a CSS variable set by script.',
        },
      ],
    },
  },
)
