// Lint rules; the import directions of README ("Imports run one way") are held here, .astro files included.
import astro from 'eslint-plugin-astro'
import boundaries from 'eslint-plugin-boundaries'
import hooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

/** A folder from the root on; what is named first wins, so inner folders come before outer ones. */
const folder = (type, pattern, capture) => ({ type, pattern, partialMatch: false, ...(capture ? { capture } : {}) })

/**
 * The rooms of payments-service, floor by floor from the ground up, each with the rooms that it may import: only such
 * as come before it, so that no two import each other (payments-service/README.md draws them).
 */
const rooms = {
  // the ground: no visitor, no money
  tracing: '',
  http: 'tracing contract',
  keys: '',
  stripe: 'tracing http contract',
  erasures: 'db',
  queue: 'tracing stripe http db',
  mail: 'queue keys db contract',
  jobs: 'tracing queue mail erasures http db contract',
  content: 'mail http contract',
  // the visit and who signs in
  sessions: 'jobs mail http db contract',
  'site-config': 'sessions keys http contract',
  tracking: 'sessions jobs queue http db contract',
  accounts: 'sessions jobs mail keys http db contract',
  // the money core, and the subscription that follows a settled payment
  refunds: 'sessions jobs stripe db',
  grants: 'refunds sessions jobs erasures stripe db contract',
  tax: 'refunds db contract',
  payments: 'tax refunds grants sessions jobs stripe erasures keys tracing http db contract',
  subscriptions: 'payments tax refunds grants sessions jobs erasures stripe http db contract',
  // ways to buy
  reading: 'sessions http db contract',
  checkout: 'reading payments accounts sessions jobs mail stripe http contract',
  paypal: 'checkout payments sessions stripe keys http contract',
  upsell: 'subscriptions payments refunds sessions jobs mail stripe http db contract',
  // after the sale
  programme: 'accounts grants content http db contract',
  notices: 'upsell subscriptions payments refunds tax sessions jobs mail stripe db contract',
  'money-back': 'notices subscriptions payments refunds grants sessions jobs mail stripe http db contract',
  members:
    'money-back notices subscriptions payments refunds grants accounts sessions jobs mail queue stripe http db ' +
    'contract',
  'mail-links': 'members money-back notices subscriptions payments accounts sessions jobs mail http contract',
  exit: 'money-back subscriptions payments accounts sessions jobs mail stripe http db contract',
  privacy: 'payments accounts sessions jobs mail erasures stripe db contract',
  // doors: Stripe's events, and the people who run this
  webhooks: 'subscriptions payments jobs queue erasures stripe tracing http db',
  doctor: 'webhooks site-config stripe http db contract',
  // how it is doing: read from outside, and reported by itself
  numbers: 'tracking refunds db',
  editors: 'numbers tracking content http contract',
  metrics: 'refunds jobs content http db contract',
  alerts: 'metrics http db',
  operator:
    'alerts doctor privacy exit queue money-back subscriptions refunds grants accounts numbers tracking sessions ' +
    'jobs keys http db contract',
}

/**
 * The domains of the site in the same way (docs/architecture.md draws them). Each also knows the site's shell and base,
 * the drawings and the contract.
 */
const domains = {
  // a visit before the order
  quiz: '',
  // what pages after the quiz share: their frame, and the form that takes a card
  funnel: '',
  payment: 'funnel',
  'paypal-return': 'payment',
  redirect: '',
  // ways to buy
  checkout: 'payment funnel',
  offer: 'payment funnel',
  reading: 'payment funnel',
  upsell: 'paypal-return payment funnel',
  // after the sale
  account: 'upsell payment funnel',
  members: 'account payment funnel',
  exit: 'members',
}

/** The same as lists; throws for a room that names one which is not below it. `ground`: what is no room of theirs. */
function floorsOf(rooms, ground = []) {
  const floors = {}
  for (const [room, names] of Object.entries(rooms)) {
    floors[room] = names.split(' ').filter(Boolean)
    const above = floors[room].filter((one) => !(one in floors) && !ground.includes(one))
    if (above.length > 0) throw new Error(`${room} is to import ${above.join(', ')}, which does not stand below it`)
  }
  return floors
}

const floors = floorsOf(rooms, ['db', 'contract'])
const onSite = (domain) => `site:${domain}`
const siteBase = ['site-shell', 'site-base', 'artwork', 'contract']
const siteFloors = Object.fromEntries(
  Object.entries(floorsOf(domains)).map(([domain, below]) => [onSite(domain), [...below.map(onSite), ...siteBase]]),
)

const elements = [
  // the requests and answers of the API and the documents of the CMS, in zod
  folder('shapes', 'contract/{api,content}'),
  // what the law asks and what tax it takes, place by place: more text than a page
  folder('duties', 'contract/{duties,tax}'),
  folder('contract', 'contract'),
  folder('db', 'db'),
  folder('tests', 'tests'),
  folder('scripts', 'scripts'),
  folder('page', 'src/pages'),
  folder('cms', 'src/cms'),
  folder('site-shell', 'src/site'),
  folder('site-base', 'src/{ui,session,tracking}'),
  // what visitors see and editors choose by sight
  folder('artwork', 'src/artwork'),
  folder('content-domain', 'src/{landing,advertorial,legal}'),
  // the draft deployment: pages with their content, rendered on request
  folder('drafts', 'src/drafts'),
  ...Object.keys(domains).map((domain) => folder(onSite(domain), `src/${domain}`)),
  folder('studio', 'studio'),
  // stands in for Stripe, the content lake, the mail server and Meta on this machine; no part of the product
  folder('stand-in', 'stand-ins'),
  ...Object.keys(floors).map((room) => folder(room, `payments-service/${room}`)),
  // a room that has no floor yet: it may import nothing, and nothing may import it
  folder('room without a floor', '{payments-service,src}/*'),
  // main.ts, app.ts, config.ts …: the wiring, which knows all parts
  folder('service', 'payments-service'),
]

/** Parts of which any file may end up in a browser. */
const browsers = [...siteBase, ...Object.keys(siteFloors), 'content-domain', 'page']

/** Who knows the contract knows the shapes of the API and the table of duties too. */
const withShapes = (from, to) => {
  if (from === 'contract') return [...to, 'shapes']
  return to.includes('contract') ? [...to, 'shapes', 'duties'] : to
}

/** Who may import whom. Files of one folder import each other freely; what is not named here is forbidden. */
const allowed = {
  contract: [],
  shapes: ['contract'],
  duties: ['contract'],
  db: ['contract'],
  artwork: ['contract'],
  'site-base': ['site-base', 'contract'],
  'site-shell': ['site-base', 'contract'],
  ...siteFloors,
  'content-domain': ['cms', onSite('quiz'), 'site-shell', 'site-base', 'contract'],
  cms: ['contract'],
  drafts: ['cms', 'site-shell', 'contract'],
  page: ['content-domain', ...Object.keys(siteFloors), 'site-shell', 'site-base', 'cms', 'contract'],
  studio: ['artwork', 'contract'],
  'stand-in': ['contract'],
  ...floors,
  'room without a floor': [],
  service: [...Object.keys(floors), 'db', 'contract'],
  // the bootstrap starts programs and finishes builds by the routing table; tests may import everything
  scripts: ['scripts', 'db', 'site-shell', 'studio', 'stand-in', 'tests', 'contract'],
  tests: elements.map(({ type }) => type),
}

const isTest = '**/*.test.{ts,tsx}'

const ownChromium = {
  selector: 'CallExpression[callee.property.name="executablePath"]',
  message: 'Chromium is found by one rule: findChromium of tests/support/chromium.ts.',
}

const replacedModule = {
  selector: 'CallExpression[callee.object.name="vi"][callee.property.name=/^(do)?mock$/i]',
  message: 'A module that another file of this worker has imported is not replaced: hand the part in as an argument.',
}

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
    // Prettier breaks code, but no comment, string or template. A path of SVG and a pattern read no better in parts.
    // Deprecated, and gone with ESLint 11, which refuses an unknown rule: then @stylistic/eslint-plugin has it.
    files: ['**/*.{ts,tsx,js,mjs,astro}'],
    rules: { 'max-len': ['error', { code: 120 }] },
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
        { category: 'routes', pattern: 'payments-service/*/{routes,*.routes}.ts' },
        { category: 'wiring', pattern: 'payments-service/{deps,config}.ts' },
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
              allow: { to: { element: { types: { anyOf: [from, ...withShapes(from, to)] } } } },
              message: `{{from.element.types}} may import: ${to.join(', ') || 'nothing'} (eslint.config.mjs, README)`,
            })),
            {
              from: { element: { types: { anyOf: Object.keys(floors) } } },
              allow: { to: { file: { categories: 'wiring' } }, dependency: { kind: 'type' } },
            },
            { disallow: { to: { file: { categories: 'test' } } }, message: 'nothing imports a test' },
            {
              from: { element: { types: { anyOf: Object.keys(floors) } } },
              disallow: { to: { file: { categories: 'routes' } } },
              message:
                'routes are mounted by app.ts and are no library: what others share of them has a file of its own',
            },
            {
              from: { element: { types: { anyOf: browsers } } },
              disallow: { to: { element: { type: 'shapes' } }, dependency: { kind: 'value' } },
              message: 'browsers load this: of zod shapes they get types alone, because zod would outweigh the page',
            },
            {
              from: { element: { types: { anyOf: browsers } } },
              disallow: { to: { element: { type: 'duties' } }, dependency: { kind: 'value' } },
              message: 'browsers load this: of the table of duties they get what the settings and the service say',
            },
            {
              from: { element: { types: { anyOf: browsers } } },
              disallow: { to: { module: { origin: 'external', source: 'zod' } }, dependency: { kind: 'value' } },
              message:
                'browsers load this, and zod would outweigh the page: what parses belongs in contract/{api,content}',
            },
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
    // A production install has no stand-ins. Tests beside the product's code are the product's too.
    files: ['{contract,db,payments-service,src,studio}/**/*.{ts,tsx,mjs,astro}', '*.config.{ts,mjs}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(^|/)stand-ins/',
              message: 'No part of the product knows a stand-in; a test that needs one belongs in tests/.',
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
    files: ['tests/**/*.ts', '**/*.test.{ts,tsx}'],
    ignores: ['tests/support/chromium.ts'],
    rules: { 'no-restricted-syntax': ['error', ownChromium] },
  },
  {
    // the files of the vitest project `programs` share their workers, and so what they import
    files: [isTest],
    ignores: ['{src,studio}/**'],
    rules: { 'no-restricted-syntax': ['error', ownChromium, replacedModule] },
  },
  {
    // A function longer than a screen or two has parts that want names. Migrations and test suites are lists.
    files: ['**/*.{ts,tsx,mjs,astro}'],
    ignores: [isTest, 'tests/**/*.spec.ts', 'db/migrations/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: false, skipComments: false, IIFEs: true }],
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
