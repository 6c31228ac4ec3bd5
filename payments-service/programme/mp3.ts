/** Length of an MP3 from its first bytes: what a listened session is measured by. */

const BITRATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000] } as const

/** How many bytes are read at once: several of the longest frames, and what an encoder may leave in front of them. */
export const HEAD_BYTES = 16_384

/** Where the sound begins: behind an ID3 tag, which may hold a cover and be longer than the head. */
export function soundAt(head: Uint8Array): number {
  const tag = Buffer.from(head.subarray(0, 10))
  if (tag.length < 10 || tag.toString('latin1', 0, 3) !== 'ID3') return 0
  // four bytes of seven bits each
  return tag.subarray(6).reduce((sum, bits) => (sum << 7) | bits, 0) + 10
}

/** Seconds; null when the head holds no MP3 frame. `size` is the whole file's, in bytes. */
export function mp3Seconds(head: Uint8Array, size: number): number | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  for (let at = soundAt(head); at + 4 < bytes.length; at++) {
    const frame = frameAt(bytes, at)
    const next = frame && frameAt(bytes, at + frame.length)
    // other formats hold bytes like a frame's, too: the next one has to begin where this one ends
    if (!next || next.version !== frame.version || next.rate !== frame.rate) continue
    const frames = xingFrames(bytes.subarray(at, at + 200))
    if (frames) return (frames * (frame.version === 3 ? 1152 : 576)) / frame.rate
    return ((size - at) * 8) / (frame.bitrate * 1000)
  }
  return null
}

/** The frame that begins here, by its four bytes; undefined where none does. */
function frameAt(bytes: Buffer, at: number) {
  const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
  const version = (b >> 3) & 3
  if (a !== 0xff || (b & 0xe6) !== 0xe2 || version === 1) return undefined
  const bitrate = (version === 3 ? BITRATES_V1 : BITRATES_V2)[c >> 4]
  const rate = RATES[version as 0 | 2 | 3][(c >> 2) & 3]
  if (!bitrate || !rate) return undefined
  const length = Math.floor(((version === 3 ? 144 : 72) * bitrate * 1000) / rate) + ((c >> 1) & 1)
  return { version, bitrate, rate, length }
}

/** The number of frames, which variable-bitrate encoders store in the first one. */
function xingFrames(frame: Buffer): number | null {
  for (const tag of ['Xing', 'Info']) {
    const at = frame.indexOf(tag, 0, 'latin1')
    if (at > 0 && at + 12 <= frame.length && (frame.readUInt32BE(at + 4) & 1) === 1) return frame.readUInt32BE(at + 8)
  }
  return null
}
