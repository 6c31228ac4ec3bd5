/** The copies of a build's texts that are sent compressed. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Writes `.br` and `.gz` beside a file. A file equal to `earlier` reuses its copies, so that a publish compresses only
 * what it changed. Resolves with whether it had to be compressed; 11 is the best and slowest quality of Brotli.
 */
export async function compress(file: string, earlier: string | undefined, quality: number): Promise<boolean> {
  const text = readFileSync(file)
  if (earlier && existsSync(earlier) && existsSync(`${earlier}.gz`) && text.equals(readFileSync(earlier))) {
    for (const end of ['br', 'gz']) copyFileSync(`${earlier}.${end}`, `${file}.${end}`)
    return false
  }
  writeFileSync(`${file}.br`, await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
  writeFileSync(`${file}.gz`, await zip(text, { level: 9 }))
  return true
}
