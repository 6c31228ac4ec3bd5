import { visionTool } from '@sanity/vision'
import { defineConfig } from 'sanity'
import { presentationTool } from 'sanity/presentation'
import { structureTool } from 'sanity/structure'
import { apiHost, dataset, previewEnablePath, previewUrl, projectId } from './environment.ts'
import { FieldFaults } from './faults/FieldFaults.tsx'
import { inspectors } from './faults/Faults.tsx'
import { ownWords } from './faults/words.ts'
import { guardedClient } from './releases/guard.ts'
import { schemaTypes } from './schemas/index.ts'
import { shardListeners } from './shard-listeners.ts'
import { resolve } from './structure/preview.ts'
import { documentActions, newDocumentOptions } from './structure/singletons.ts'
import { SiteNotice } from './structure/SiteStatus.tsx'
import { structure } from './structure/structure.ts'

if (apiHost !== undefined) shardListeners(apiHost)

/** The editor's desk: the same code on the embedded lake and on Sanity's cloud (K-03). */
export default defineConfig({
  name: 'default',
  title: 'Funnel',
  projectId,
  dataset,
  unstable_clientFactory: guardedClient,
  // on the cloud a token, not a cookie of Sanity's: with it an editor proves who they are to the service, too
  ...(apiHost === undefined ? { auth: { loginMethod: 'token' as const } } : { apiHost }),
  plugins: [
    structureTool({ title: 'Content', structure }),
    presentationTool({
      title: 'Preview',
      previewUrl: {
        initial: previewUrl,
        ...(previewEnablePath === undefined ? {} : { previewMode: { enable: previewEnablePath } }),
      },
      resolve,
    }),
    // a developer's tool, for who runs `sanity dev`
    ...(process.env.NODE_ENV === 'production' ? [] : [visionTool({ defaultApiVersion: '2026-03-01' })]),
  ],
  schema: { types: schemaTypes },
  document: {
    actions: documentActions,
    newDocumentOptions,
    inspectors,
    comments: { enabled: false },
  },
  form: { components: { field: FieldFaults } },
  i18n: { bundles: ownWords },
  studio: { components: { layout: SiteNotice } },
  releases: { enabled: true },
  // what a team of editors does not need, and what the embedded lake does not serve
  scheduledDrafts: { enabled: false },
  scheduledPublishing: { enabled: false },
  tasks: { enabled: false },
  announcements: { enabled: false },
  apps: { canvas: { enabled: false } },
})
