/** What `npm start` keeps up: killed, it comes back by itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { anyPort } from '../../db/ports.ts'
import { keepUp } from '../../scripts/keep-up.ts'
import { launch, type Running } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { newSecrets, usualPorts } from '../../scripts/settings.ts'
import { pause } from '../faults/random.ts'
import { DEATHS } from './deaths.ts'
import { type Row, seconds } from './row.ts'

export const supervised: Row = {
  name: 'start',
  title:
    'N-03 site server, Studio and stand-ins under npm start are killed five times each and come back by themselves',
  long: true,
  async run({ stage }) {
    const place = join(stage.world.server.folder, 'kept-up')
    const pages = join(place, 'pages')
    mkdirSync(pages, { recursive: true })
    for (const name of ['index', '404', '500']) writeFileSync(join(pages, `${name}.html`), name)
    const taken = { site: await anyPort(), studio: await anyPort(), lake: await anyPort(), stripe: await anyPort() }
    const ofMail = { mailbox: await anyPort(), smtp: await anyPort(), meta: await anyPort() }
    const ports = { ...usualPorts, ...taken, ...ofMail }
    const world: programs.World = { ports, secrets: newSecrets(), dataDir: place, configured: {}, databaseUrl: '' }
    const kept = [
      programs.frontDoor(world, { dist: pages }),
      programs.studio(world, pages),
      ...[programs.lake(world), programs.stripeSandbox(world), programs.mailbox(world), programs.meta(world)],
    ].map((program) => {
      const starts: Running[] = []
      const said: string[] = []
      const start = (append: boolean) => {
        starts.push(launch(program, { logDir: place, append }))
        return starts.at(-1)!
      }
      const one = keepUp({ start, readyUrl: program.readyUrl, say: (line) => said.push(line), pauses: [200] })
      return { ...program, ...one, starts, ups: () => said.filter((line) => line.endsWith('is up again.')).length }
    })
    try {
      await Promise.all(kept.map(({ ready }) => ready))
      const away: number[] = []
      for (let death = 1; death <= DEATHS; death++) {
        for (const { starts } of kept) starts.at(-1)!.child.kill('SIGKILL')
        const from = performance.now()
        for (const end = Date.now() + 60_000; Date.now() < end && kept.some(({ ups }) => ups() < death);)
          await pause(20)
        away.push(performance.now() - from)
      }
      const lost = kept.filter(({ ups }) => ups() !== DEATHS).map(({ name, ups }) => `${name}: back ${ups()} times`)
      const answers = await Promise.all(kept.map(({ readyUrl }) => fetch(readyUrl).then(({ status }) => status)))
      return {
        figures:
          `${kept.map(({ name }) => name).join(', ')}: ${DEATHS} deaths each, ` +
          `all back within ${seconds(Math.max(...away))}`,
        violations: [...lost, ...answers.filter((status) => status >= 500).map((status) => `one answers ${status}`)],
      }
    } finally {
      await Promise.all(kept.map((one) => one.stop()))
    }
  },
}
