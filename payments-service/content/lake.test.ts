import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLake } from './lake.ts'

test('N-02 a file of the content lake is read where it stands: a redirect is not followed', async () => {
  const asked: string[] = []
  const server = createServer((req, res) => {
    asked.push(req.url ?? '')
    if (req.url === '/files/sound.mp3') res.end('sound')
    else res.writeHead(302, { location: '/files/sound.mp3' }).end()
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const apiHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lake = createLake({ projectId: 'local0001', dataset: 'production', token: 'secret', apiHost })
  const read = (path: string) => lake?.file(`${apiHost}${path}`, undefined, AbortSignal.timeout(5_000))
  try {
    expect(await (await read('/files/sound.mp3'))?.text()).toBe('sound')
    await expect(read('/files/moved.mp3')).rejects.toThrow('fetch failed')
    expect(asked).toEqual(['/files/sound.mp3', '/files/moved.mp3'])
  } finally {
    server.close()
  }
})
