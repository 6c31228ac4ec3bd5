import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Lake } from '../content/lake.ts'
import type { Log } from '../http/logging.ts'
import { createProgramme } from './content.ts'
import { addPlayTime, countsAsListened, todayOf } from './listening.ts'
import { mp3Seconds } from './mp3.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
const heard = (playedSeconds: number, seconds: number) => ({
  playedSeconds,
  lengthSeconds: 300,
  lastReportAt: at(seconds),
  counted: false,
})

test('A-07 play time is believed as far as time has passed', () => {
  expect(addPlayTime(null, 10, 300, at(0))).toBe(10)
  expect(addPlayTime(null, 3_600, 300, at(0))).toBe(20)
  expect(addPlayTime(heard(10, 0), 10, 300, at(10))).toBe(20)
  // a script that reports more than it could have heard
  expect(addPlayTime(heard(10, 0), 20, 300, at(10))).toBe(22)
  // a second report at the same moment adds nothing
  expect(addPlayTime(heard(10, 0), 10, 300, at(0))).toBe(10)
  // nor does a clock that was turned back
  expect(addPlayTime(heard(10, 60), 10, 300, at(0))).toBe(10)
  // a player that was offline for a minute, to the end of the session, and a day
  expect(addPlayTime(heard(10, 0), 60, 300, at(60))).toBe(70)
  expect(addPlayTime(heard(10, 0), 288, 300, at(289))).toBe(298)
  expect(addPlayTime(heard(10, 0), 3_600, 300, at(86_400))).toBe(300)
  expect(addPlayTime(heard(295, 0), 30, 300, at(30))).toBe(300)
  expect(addPlayTime(heard(10, 0), -5, 300, at(30))).toBe(10)
})

test('A-07 four fifths of a session count', () => {
  expect(countsAsListened(239, 300)).toBe(false)
  expect(countsAsListened(240, 300)).toBe(true)
})

test('A-05 today is the first day that was not heard, of those that can be heard', () => {
  const days = [1, 2, 3].map((day) => ({ day, audio: {} }))
  expect(todayOf(days, new Set())).toBe(1)
  expect(todayOf(days, new Set([1, 3]))).toBe(2)
  expect(todayOf(days, new Set([1, 2, 3]))).toBeNull()
  const silent = days.map((one) => (one.day === 2 ? { ...one, audio: null } : one))
  expect(todayOf(silent, new Set([1]))).toBe(3)
})

/** `count` frames, as an encoder writes them: the four bytes and what fills each. */
const frames = (header: string, length: number, count: number) =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.concat([Buffer.from(header, 'hex')], length)))
// MPEG-2 layer III, 16 kbit/s, 16 kHz
const spoken = (count: number) => frames('fff328c4', 72, count)
/** An ID3 tag with `length` bytes in it, below 2 MB. */
const tag = (length: number) => {
  const size = [0, length >> 14, (length >> 7) & 127, length & 127]
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, ...size])], 10 + length)
}

test('A-07 the length of a recording is read from its first frame, with and without a tag', () => {
  expect(mp3Seconds(spoken(2), 200_000)).toBe(100)
  expect(mp3Seconds(Buffer.concat([tag(128), spoken(2)]), 200_000 + 138)).toBe(100)
  // MPEG-1, 44.1 kHz, 128 kbit/s, a variable bitrate with its frames noted; the second is padded
  const xing = Buffer.concat([frames('fffb9064', 417, 1), frames('fffb9264', 418, 1)])
  xing.write('Xing', 36, 'latin1')
  xing.writeUInt32BE(1, 40)
  xing.writeUInt32BE(11_484, 44)
  expect(Math.round(mp3Seconds(xing, 1_000_000) ?? 0)).toBe(300)
  expect(mp3Seconds(Buffer.from('<html>no sound here</html>'), 26)).toBeNull()
})

test('A-07 a recording of another format has no length, though it holds bytes like those of a frame', () => {
  const noise = (seed: number) => createHash('shake256', { outputLength: 16_300 }).update(String(seed)).digest()
  const found = ['0000001c667479704d344120', '52494646ffffff0057415645666d7420'].flatMap((start) =>
    Array.from({ length: 40 }, (_, seed) =>
      mp3Seconds(Buffer.concat([Buffer.from(start, 'hex'), noise(seed)]), 4_800_000),
    ),
  )
  expect(found.filter((seconds) => seconds !== null)).toEqual([])
})

test.each([
  ['no tag', 0],
  ['a short tag', 128],
  ['a tag that ends just before what is read at first does', 16_300],
  ['a cover of 32 KB', 32_768],
])('A-07 a recording is measured behind %s', async (_what, length) => {
  const file = Buffer.concat([...(length ? [tag(length)] : []), spoken(2_000)])
  const asked: string[] = []
  const lake = {
    file: async (_url: string, range = '') => {
      asked.push(range)
      const [from = 0, to = 0] = range.replace('bytes=', '').split('-').map(Number)
      return new Response(file.subarray(from, to + 1), { status: 206 })
    },
  } as unknown as Lake
  const url = 'http://lake.test/files/a.mp3'
  expect(await createProgramme(lake, {} as Log).seconds({ url, size: file.length })).toBe(72)
  expect(asked).toHaveLength(length > 128 ? 2 : 1)
})
