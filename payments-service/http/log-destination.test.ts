import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../tests/support/chatty.ts', import.meta.url))
let child: ReturnType<typeof spawn> | undefined
afterEach(() => child?.kill('SIGKILL'))

async function start(stdout: 'pipe' | number) {
  const started = spawn(process.execPath, [program], { stdio: ['ignore', stdout, 'inherit', 'ipc'] })
  child = started
  const [{ port }] = (await once(started, 'message')) as [AddressInfo]
  const ask = async () => (await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(10_000) })).text()
  return { started, ask }
}
const end = async (started: NonNullable<typeof child>) => {
  started.kill('SIGTERM')
  const [code] = (await once(started, 'exit', { signal: AbortSignal.timeout(10_000) })) as [number]
  return code
}

test.runIf(process.platform === 'linux')('a log on a full disk: answers go on, and the program ends', async () => {
  // the kernel's own full disk: every write fails with ENOSPC
  const { started, ask } = await start(openSync('/dev/full', 'w'))
  for (let n = 1; n <= 50; n++) expect(await ask()).toBe(String(n))
  expect(await end(started)).toBe(0)
})

test('a log that nobody reads: answers go on, and lines that were lost are counted', async () => {
  const { started, ask } = await start('pipe')
  const requests = 2_600
  for (let n = 0; n < requests; n += 50) await Promise.all(Array.from({ length: 50 }, ask))
  let text = ''
  started.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
  const lost = () => [...text.matchAll(/"lost":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  // each further line tries again
  while (lost() === 0) await ask()
  const written = () => text.match(/"asked":/g)?.length ?? 0
  const asked = () => Math.max(...[...text.matchAll(/"asked":(\d+)/g)].map(([, count]) => Number(count)))
  await expect.poll(() => written() + lost() - asked()).toBe(0)
  expect(lost()).toBeGreaterThan(100)
  expect(await end(started)).toBe(0)
})
