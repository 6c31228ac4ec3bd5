/** Keeps the embedded PostgreSQL running: when it dies it is started again where it was, as the other programs are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedOptions, startPostgres } from '../db/embedded.ts'
import { messageOf } from '../db/command.ts'

export interface KeptDatabase {
  /** postgres://… of the database `postgres`; stays the same. */
  url: string
  stop(): Promise<void>
}

/** How often it is looked at: no event reports the end of a program that `pg_ctl` has started. */
const EVERY_MS = 250

/** Rejects when it does not come up at first; `say`: what happened later, for the console. */
export async function keepDatabase(options: EmbeddedOptions, say: (line: string) => void): Promise<KeptDatabase> {
  let server = await startPostgres(options)
  const { url, port } = server
  const stopped = new AbortController()
  const watch = async (): Promise<void> => {
    for (let failed = ''; ;) {
      await sleep(EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return
      if (lives(server.dataDir)) continue
      if (!failed) say('\nPostgreSQL has ended. It is started again; everything else goes on.')
      try {
        // its last processes may still be ending
        server = await startPostgres({ ...options, port })
        if (server.port !== port) throw new Error(`port ${port} is taken: it is at ${server.port}`)
        failed = ''
        say('PostgreSQL is up again.')
      } catch (error) {
        if (messageOf(error) !== failed) say(messageOf(error))
        failed = messageOf(error)
      }
    }
  }
  const watching = watch()
  return {
    url,
    async stop() {
      stopped.abort()
      await watching
      await server.stop()
    },
  }
}

function lives(dataDir: string): boolean {
  try {
    const [pid] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
