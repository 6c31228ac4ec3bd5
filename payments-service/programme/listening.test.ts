import { expect, test } from 'vitest'
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

test('A-07 the length of a recording is read from its first frame, with and without a tag', () => {
  // MPEG-2 layer III, 16 kbit/s, 16 kHz
  const frame = Buffer.concat([Buffer.from('fff328c4', 'hex'), Buffer.alloc(200)])
  expect(mp3Seconds(frame, 200_000)).toBe(100)
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 1, 0]), Buffer.alloc(128), frame])
  expect(mp3Seconds(tag, 200_000 + 138)).toBe(100)
  // MPEG-1, 44.1 kHz, a variable bitrate with its frames noted
  const xing = Buffer.alloc(200)
  Buffer.from('fffb9064', 'hex').copy(xing)
  xing.write('Xing', 36, 'latin1')
  xing.writeUInt32BE(1, 40)
  xing.writeUInt32BE(11_484, 44)
  expect(Math.round(mp3Seconds(xing, 1_000_000) ?? 0)).toBe(300)
  expect(mp3Seconds(Buffer.from('<html>no sound here</html>'), 26)).toBeNull()
})
