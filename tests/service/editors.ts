/** Editors of the Studio on this machine: a content lake of a test's own that they sign in at. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLake } from '../../stand-ins/content-lake/start.ts'

/** Where their Studio is. */
export const STUDIO = 'http://localhost:3333'
const TOKEN = 'the-lakes-own-token-0123456789'

/** The environment of a service that asks the lake at `url` who its editors are. */
export const withLake = (url: string) => ({
  SANITY_PROJECT_ID: 'local0001',
  SANITY_API_HOST: url,
  SANITY_READ_TOKEN: TOKEN,
  STUDIO_ORIGINS: `${STUDIO},http://127.0.0.1:3333`,
})

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export type EditorsLake = Awaited<ReturnType<typeof startEditorsLake>>

export async function startEditorsLake() {
  const folder = mkdtempSync(join(tmpdir(), 'editors-lake-'))
  const lake = await startLake({ dataDir: folder, token: TOKEN, studioOrigins: [STUDIO] })
  return {
    url: lake.url,
    env: withLake(lake.url),
    /** The token that the Studio of this machine gets. */
    async signIn(): Promise<string> {
      const answer = await fetch(`${lake.url}/v2026-03-01/auth/fetch?sid=embedded`, { headers: { origin: STUDIO } })
      return ((await answer.json()) as { token: string }).token
    },
    async close(): Promise<void> {
      await lake.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
