import decodeQR from 'qr/decode.js'
import { expect, test } from 'vitest'
import { enrolForm } from './sign-in.pages.ts'

/** Decodes a QR code that is drawn as squares of one path. */
function read(page: string): string {
  const size = Number(/class="qr" viewBox="0 0 (\d+)/.exec(page)?.[1])
  const scale = 4
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x = '', y = ''] of page.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let at = 0; at < scale * scale; at++) {
      const row = Number(y) * scale + Math.floor(at / scale)
      data.set([0, 0, 0, 255], (row * width + Number(x) * scale + (at % scale)) * 4)
    }
  }
  return decodeQR({ width, height: width, data })
}

test('N-02 the QR code of the set-up says to an app exactly what the secret beside it says', async () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA'
  const uri = `otpauth://totp/Funnel%20operator:first.of.all%40example.com?secret=${secret}&issuer=Funnel%20operator`
  const page = (await enrolForm({ secret, uri }, 'form-token')).text
  expect(read(page)).toBe(uri)
  expect(page.replaceAll(' ', '')).toContain(`>${secret}<`)
})
