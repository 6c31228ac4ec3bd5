/** For tests: a separate lake in a temporary folder, and clients for it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SanityClient } from '@sanity/client'
import { startLake, type LakeOptions, type RunningLake } from './start.ts'

export const TOKEN = 'token-of-the-tests'
export const STUDIO = 'http://localhost:3333'

export type TestLake = {
  lake: RunningLake
  folder: string
  /** Reads and writes everything, raw perspective. */
  client: SanityClient
  /** Has no token. */
  anybody: SanityClient
  /** Ends it and starts it again over the same data. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

export function clientOf(url: string, token?: string): SanityClient {
  return createClient({
    projectId: 'local0001',
    dataset: 'production',
    apiHost: url,
    useProjectHostname: false,
    useCdn: false,
    apiVersion: '2026-11-01',
    ignoreBrowserTokenWarning: true,
    perspective: token ? 'raw' : 'published',
    ...(token ? { token } : {}),
  })
}

export async function testLake(options: Partial<LakeOptions> = {}): Promise<TestLake> {
  const folder = await mkdtemp(join(tmpdir(), 'lake-'))
  const start = () => startLake({ dataDir: folder, token: TOKEN, ...options })
  const lake = await start().catch(async (cause: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw cause
  })
  const test: TestLake = {
    lake,
    folder,
    client: clientOf(lake.url, TOKEN),
    anybody: clientOf(lake.url),
    restart: async () => {
      await test.lake.close()
      test.lake = await start()
      test.client = clientOf(test.lake.url, TOKEN)
      test.anybody = clientOf(test.lake.url)
    },
    stop: async () => {
      await test.lake.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return test
}

/** The details of an error that the API answered with. */
export async function failure(
  promise: Promise<unknown>,
): Promise<{ status: number; body: { error: Record<string, unknown> } }> {
  try {
    await promise
  } catch (cause) {
    const { statusCode, responseBody } = cause as { statusCode: number; responseBody: string }
    return { status: statusCode, body: JSON.parse(responseBody) as { error: Record<string, unknown> } }
  }
  throw new Error('It succeeded')
}

/** Waits until `check` is true, at most `ms`. */
export async function until(check: () => boolean, ms = 5000): Promise<void> {
  const end = Date.now() + ms
  while (!check()) {
    if (Date.now() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
