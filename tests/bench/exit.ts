/**
 * `npm run bench -- exit`: 10,000 guesses of addresses on the page /exit (H-04). Half of them belong to buyers. Whoever
 * guesses must not learn which: the answers are alike to the byte, and their times differ by less than noise does.
 * And 200 statements at once, each acknowledged by mail within a minute (H-02).
 */
import { startFunnel } from '../service/funnel.ts'
import { startTestServer } from '../support/postgres.ts'
import { quantile } from '../faults/measure.ts'
import { guess } from './exit-guesses.ts'
import { acknowledgements } from './exit-mails.ts'
import { finish, judge, median, note } from './table.ts'

const PAIRS = Number(process.argv[2] ?? 5_000)
const BUYERS = 20
const LEAVING = 200

const stopServer = await startTestServer()
const funnel = await startFunnel({ background: false, env: { TRUST_PROXY: 'loopback' } })
try {
  const known: string[] = []
  for (let n = 0; n < BUYERS; n++) {
    const email = `buyer${String(n).padStart(3, '0')}x@example.com`
    const buyer = await funnel.buyer(email)
    await buyer.pay()
    known.push(email)
  }
  await guess(funnel, { known, pairs: 100 })
  const { kinds, times } = await guess(funnel, { known, pairs: PAIRS })
  const all = new Set([...kinds.known, ...kinds.unknown])
  note('answers', [...all].join('; '))
  judge('sorts of answers', all.size, 1)
  const [a, b] = [median(times.known), median(times.unknown)]
  // the noise of a median: how much it differs between halves of the very same sort
  const half = (list: readonly number[], part: number) => median(list.filter((_, n) => n % 2 === part))
  const noise = Math.max(
    Math.abs(half(times.known, 0) - half(times.known, 1)),
    Math.abs(half(times.unknown, 0) - half(times.unknown, 1)),
  )
  note('medians', `${a.toFixed(3)} ms known, ${b.toFixed(3)} ms unknown; noise ${noise.toFixed(3)} ms`)
  // the share of pairs in which the known one was slower: one half, within three standard deviations
  const slower = times.known.filter((ms, n) => ms > (times.unknown[n] ?? 0)).length / PAIRS
  judge('known slower in pairs, off one half', Math.abs(slower - 0.5), 1.5 / Math.sqrt(PAIRS))
  const mailed = (await acknowledgements(LEAVING)).map((ms) => ms / 1000)
  note('acknowledged after', `median ${median(mailed).toFixed(1)} s, slowest ${Math.max(...mailed).toFixed(1)} s`)
  judge(`acknowledgement of ${LEAVING} at once, p95`, quantile(mailed, 0.95), 60, ' s')
} finally {
  await funnel.stop()
  await stopServer()
}
finish()
