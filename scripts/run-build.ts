/**
 * `npm run build`: the site for a host, in dist/. The content is the configured project's, else the sample's. SITE_LINK
 * and SITE_BUILDS: another link that is served, and its folder of builds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { checkContent, isForVisitors } from './content-check.ts'
import { launch, untilReady } from './processes.ts'
import { contentEnv, lake, standIns, type World } from './programs.ts'
import { whoAndWhere } from './builds/journal.ts'
import { runCommand } from '../db/command.ts'
import { anyPort } from '../db/ports.ts'
import { newSecrets, readDotEnv, root, usualPorts } from './settings.ts'
import { releaseSite } from './site-build.ts'

new Command('npm run build').description('The site for a host, in dist/.').showHelpAfterError().parse()
readDotEnv()
const scratch = mkdtempSync(join(tmpdir(), 'eye-build-'))
const ports = { ...usualPorts, lake: await anyPort() }
const world: World = { ports, secrets: newSecrets(), databaseUrl: '', dataDir: scratch, configured: { ...process.env } }
const content = standIns(world).lake ? launch(lake(world), { logDir: scratch }) : undefined
await runCommand(async () => {
  if (content) await untilReady(content, lake(world).readyUrl)
  const forVisitors = isForVisitors(process.env)
  if (forVisitors && content) console.error('NODE_ENV=production without SANITY_PROJECT_ID: the content is the sample.')
  const checked = forVisitors ? await checkContent(contentEnv(world), true) : {}
  const site = process.env['SITE_LINK'] || join(root, 'dist')
  const release = { site, who: whoAndWhere(), checked, launch: forVisitors }
  const { fresh, live } = await releaseSite(
    contentEnv(world),
    process.env['SITE_BUILDS'] || join(root, '.data', 'builds'),
    release,
  )
  console.log(`${fresh ? 'Built' : 'Nothing changed since the last build of'} ${basename(release.site)}/`)
  if (!live) console.log('It is pinned to an earlier build, which it still shows; npm run site:unpin ends that')
})
await content?.stop()
rmSync(scratch, { recursive: true, force: true })
