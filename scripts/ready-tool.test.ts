import { expect, test } from 'vitest'
import { startTool, type Tool } from './processes.ts'
import { readyTool } from './ready-tool.ts'

/** Tools that say what they were started as and what they were asked; `started` are those that were. */
function echoes() {
  const started: Tool[] = []
  const script = (as: string) =>
    `process.channel.ref(); process.once('message', (m) => { console.log('${as}', m); process.exit() })`
  const wanted = (as: string) => ({
    as,
    start() {
      const tool = startTool(['-e', script(as)])
      started.push(tool)
      return tool
    },
  })
  return { started, wanted }
}
const says = async ({ child, ended }: Tool, words: string) => {
  child.send(words)
  return (await ended).output
}

test('K-04 a tool that waits is taken once, for what it was started with, and never when it has ended', async () => {
  const { started, wanted } = echoes()
  const tools = readyTool(60_000)
  tools.prepare()
  expect(started).toHaveLength(0)
  expect(await says(tools.take(wanted('a')), 'first')).toBe('a first')
  tools.prepare()
  tools.prepare()
  expect(started).toHaveLength(2)
  expect(await says(tools.take(wanted('a')), 'second')).toBe('a second')
  expect(started).toHaveLength(2)
  tools.prepare()
  expect(await says(tools.take(wanted('b')), 'third')).toBe('b third')
  // the one that waited for something else
  expect((await started[2]?.ended)?.output).toBe('')
  tools.prepare()
  started.at(-1)?.child.kill()
  await started.at(-1)?.ended
  expect(await says(tools.take(wanted('b')), 'fourth')).toBe('b fourth')
  expect(started).toHaveLength(6)
})

test('K-04 a tool that nobody takes ends after a while, and the next one is started anew', async () => {
  const { started, wanted } = echoes()
  const tools = readyTool(30)
  expect(await says(tools.take(wanted('a')), 'first')).toBe('a first')
  tools.prepare()
  expect((await started[1]?.ended)?.output).toBe('')
  expect(await says(tools.take(wanted('a')), 'second')).toBe('a second')
  expect(started).toHaveLength(3)
})
