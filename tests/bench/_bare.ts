import { spawn, fork } from 'node:child_process'
import { join } from 'node:path'
import { makeBed, startService, CONNECTIONS } from './api/bed.ts'
import { anyPort } from '../../scripts/settings.ts'
import { writeFileSync } from 'node:fs'
const bed = await makeBed()
const service = await startService(bed)
const { made: visitors } = await service.call({ kind: 'session', times: 1000, visitors: [] })
const port = await anyPort()
writeFileSync('/work/wt/lead/tests/bench/_bare-server.ts', `
import express from 'express'
import pg from 'pg'
import { createMicroBatch } from '../../payments-service/micro-batch.ts'
const pool = new pg.Pool({ connectionString: ${JSON.stringify(bed.url)}, max: 16 })
const batch = createMicroBatch<any, number>({ most: 200, lanes: Number(process.env.LANES ?? 2), worthwhile: Number(process.env.WORTH ?? 8), longest: 5000, overloaded: () => new Error('full'), write: async (items) => {
  await pool.query({ name: 'b', text: 'insert into quiz_answers (session_id, question_id, answer, updated_at) select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])', values: [items.map((i) => i.id), items.map((i) => i.a.questionId), items.map((i) => i.a.answer), items.map((i) => i.a.answeredAt)] })
  return items.map(() => 1)
} })
const app = express()
app.use(express.json())
app.post('/api/sessions/:id/answers', async (req, res) => { await batch.add({ id: req.params.id, a: req.body.answers[0] }); res.json({ saved: 1 }) })
app.listen(${port}, '127.0.0.1')
`)
const bare = spawn(process.execPath, ['/work/wt/lead/tests/bench/_bare-server.ts'], { stdio: 'inherit' })
await new Promise((d) => setTimeout(d, 2500))
const caller = fork(join(import.meta.dirname, 'api/caller.ts'))
const callBare = (seconds: number) => new Promise<any>((res) => { caller.once('message', res); caller.send({ kind: 'answer', visitors, seconds, port, connections: CONNECTIONS }) })
let n = 0
const floor = async (seconds: number) => { const end = performance.now() + seconds * 1000; let c = 0; await Promise.all(Array.from({ length: 32 }, async () => { while (performance.now() < end) { await bed.prepared('answer', 'insert into quiz_answers (session_id, question_id, answer, updated_at) values ($1, $2, $3, $4)', [visitors[n % 1000]!.sessionId, 'floor' + n++, 'More than 8 hours', new Date()]); c++ } })); return c / seconds }
import { readFileSync } from 'node:fs'
import { execSync } from 'node:child_process'
const pgPort = new URL(bed.url).port
const pids = { pg: () => execSync(`ps -eo pid,args | grep -E "postgres.*bench|zzzz" | grep -v grep | awk '{print $1}'`).toString().trim().split('\n').map(Number), ours: () => [Number(execSync(`pgrep -P ${process.pid} -f payments-service/main.ts`).toString().trim().split('\n')[0])], bare: () => [bare.pid!], caller: () => [caller.pid!] }
const cpu = (list: number[]) => list.reduce((sum, pid) => { try { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return sum + (Number(f[11]) + Number(f[12])) * 10_000 } catch { return sum } }, 0)
const all = () => Object.fromEntries(Object.entries(pids).map(([k, f]) => [k, cpu(f())]))
const measured = async (name: string, work: () => Promise<number>) => { const a = all(); const rate = await work(); const b = all(); console.log('  ', name, rate.toFixed(0) + '/s', Object.keys(a).map((k) => `${k} ${((b[k]! - a[k]!) / (rate * 4)).toFixed(1)}`).join('  '), 'µs/row') }
await callBare(2); await service.call({ kind: 'answer', visitors, seconds: 2 })
for (let i = 0; i < 3; i++) { await measured('floor', () => floor(4)); await measured('bare', async () => (await callBare(4)).rate); await measured('ours', async () => (await service.call({ kind: 'answer', visitors, seconds: 4 })).rate) }
for (let i = 0; i < 0; i++) {
  const f = await floor(3), b = await callBare(3), o = await service.call({ kind: 'answer', visitors, seconds: 3 })
  console.log('floor', f.toFixed(0), 'bare', b.rate?.toFixed(0) ?? b, (b.rate / f).toFixed(2), 'ours', o.rate.toFixed(0), (o.rate / f).toFixed(2))
}
caller.disconnect(); bare.kill(); await service.stop(); await bed.stop(); process.exit(0)
