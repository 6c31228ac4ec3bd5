import { defineCliConfig } from 'sanity/cli'

/** For `sanity build`, `sanity dev`, `sanity schema extract` and `sanity typegen generate`; none needs a login. */
export default defineCliConfig({
  api: {
    projectId: process.env['SANITY_STUDIO_PROJECT_ID'] || 'local0001',
    dataset: process.env['SANITY_STUDIO_DATASET'] || 'production',
  },
  server: { hostname: 'localhost', port: 3333 },
  typegen: {
    path: '../src/cms/queries.ts',
    schema: '.sanity/schema.json',
    generates: '../src/cms/types.generated.ts',
    overloadClientMethods: true,
  },
  deployment: { autoUpdates: false },
})
