/**
 * The program beside a self-hosted site that brings published content onto it; hosted builds use a webhook instead
 * (studio/README.md). PORT answers with the status as JSON, and shows editors the builds (builds-door.ts) for which
 * STUDIO_ORIGINS are read. SITE_LINK: the link that the front door serves; SITE_BUILDS: the folder of builds; SANITY_*
 * with SANITY_TOKEN or its file (editor rights).
 */
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { createClient } from '@sanity/client'
import { ownNamesOnly } from '../../contract/listener.ts'
import { readSecret } from '../../db/secret-files.ts'
import { awaitNextBuild } from '../astro-build.ts'
import { isForVisitors } from '../content-check.ts'
import { recordOf } from '../builds/builds.ts'
import { hashOfSources, ProgramsChanged, releaseSite } from '../site-build.ts'
import { answersBuilds } from './builds-door.ts'
import { editorDoor } from './editor-door.ts'
import { startPublisher } from './publisher.ts'
import { pinShown } from './site-status.ts'

const { PORT = '4324', SITE_LINK, SITE_BUILDS, STUDIO_ORIGINS = '' } = process.env
const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset = 'production', SANITY_API_HOST: apiHost } = process.env
const token = readSecret(process.env, 'SANITY_TOKEN')
if (!SITE_LINK || !SITE_BUILDS || !token || !projectId) {
  console.error('The publisher needs SITE_LINK, SITE_BUILDS, SANITY_PROJECT_ID and SANITY_TOKEN.')
  process.exit(2)
}
// a build reads only public content: it never sees the token
for (const name of ['SANITY_TOKEN', 'SANITY_TOKEN_FILE']) delete process.env[name]
const contentEnv: Record<string, string> = {
  SANITY_PROJECT_ID: projectId,
  SANITY_DATASET: dataset,
  ...(apiHost ? { SANITY_API_HOST: apiHost } : {}),
}
const client = createClient({
  projectId,
  dataset,
  token,
  apiVersion: '2026-03-01',
  perspective: 'raw',
  useCdn: false,
  ...(apiHost ? { apiHost, useProjectHostname: false } : {}),
})
// npm start shows sample content; a server with NODE_ENV=production never does
const launch = process.env['NODE_ENV'] === 'production' && isForVisitors(process.env)
const programs = hashOfSources()
const publisher = startPublisher({
  client,
  launch,
  log: (line) => console.log(line),
  async build(makers, checked) {
    const who = async (build: string) => {
      const names = await makers.namesFor(recordOf(build)?.documents ?? {})
      return names.join(', ') || `publisher@${hostname()}`
    }
    const release = { site: SITE_LINK, who, checked, launch, programs }
    const { fresh } = await releaseSite(contentEnv, SITE_BUILDS, release).catch(endWhereChanged)
    if (fresh) awaitNextBuild()
    return fresh
  },
  pin: () => pinShown(SITE_BUILDS, SITE_LINK),
})
const builds = { site: SITE_LINK, enter: editorDoor(client), origins: STUDIO_ORIGINS.split(',').filter(Boolean) }
const server = createServer(
  ownNamesOnly((request, response) => {
    if (answersBuilds(builds, request, response)) return
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(JSON.stringify(publisher.status()))
  }),
)
server.listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  publisher.stop()
  server.close(() => process.exit(0))
  server.closeAllConnections()
})

/** Whatever keeps this program running (systemd, npm start) starts it again, with the programs that are there now. */
function endWhereChanged(error: unknown): never {
  if (!(error instanceof ProgramsChanged)) throw error
  console.log(error.message)
  process.exit(1)
}
