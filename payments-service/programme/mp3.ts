/** Length of an MP3 from its first bytes: what a listened session is measured by. */

const BITRATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000] } as const

/** How many of the first bytes are needed beyond an ID3 tag. */
export const HEAD_BYTES = 16_384

/** Seconds; null when the head holds no MP3 frame. `size` is the whole file's, in bytes. */
export function mp3Seconds(head: Uint8Array, size: number): number | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  let at = 0
  if (bytes.subarray(0, 3).toString('latin1') === 'ID3' && bytes.length > 10) {
    // four bytes of seven bits each
    at = 10 + (((bytes[6] ?? 0) << 21) | ((bytes[7] ?? 0) << 14) | ((bytes[8] ?? 0) << 7) | (bytes[9] ?? 0))
  }
  for (; at + 4 < bytes.length; at++) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    if (a !== 0xff || (b & 0xe6) !== 0xe2) continue
    const version = (b >> 3) & 3
    if (version === 1) continue
    const bitrate = (version === 3 ? BITRATES_V1 : BITRATES_V2)[c >> 4]
    const rate = RATES[version as 0 | 2 | 3][(c >> 2) & 3]
    if (!bitrate || !rate) continue
    const frames = xingFrames(bytes.subarray(at, at + 200))
    if (frames) return (frames * (version === 3 ? 1152 : 576)) / rate
    return ((size - at) * 8) / (bitrate * 1000)
  }
  return null
}

/** The number of frames, which variable-bitrate encoders store in the first one. */
function xingFrames(frame: Buffer): number | null {
  for (const tag of ['Xing', 'Info']) {
    const at = frame.indexOf(tag, 0, 'latin1')
    if (at > 0 && at + 12 <= frame.length && (frame.readUInt32BE(at + 4) & 1) === 1) return frame.readUInt32BE(at + 8)
  }
  return null
}
