// `npm run stripe:parity`: the same list of calls against the sandbox and, with
// STRIPE_SECRET_KEY=sk_test_…, against Stripe; prints where they differ. Without a key it runs the sandbox
// alone and says so. Exit code 1 when something differs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { startSandbox } from './sandbox.ts'
import { runLife } from './parity-life.ts'
import { type Answer, type Json, send, type Step } from './parity-step.ts'

new Command('npm run stripe:parity')
  .description('Compares the sandbox call by call with the account of STRIPE_SECRET_KEY=sk_test_…, or runs it alone.')
  .showHelpAfterError()
  .parse()

const OWN_KEY = 'sk_test_parity000000000'
/** Values that differ between the sides by nature. */
const OWN_VALUES = new Set([
  'authorization_code',
  'calculated_statement_descriptor',
  'client_secret',
  'doc_url',
  'fingerprint',
  'invoice_prefix',
  'account_name',
  'account_country',
  'message',
  'network_transaction_id',
  'network_decline_code',
  'number',
  'receipt_url',
  'receipt_number',
  'request_log_url',
  'risk_score',
  'url',
  'seller_message',
  'reference',
  'exp_month',
  'exp_year',
  'livemode',
])

function steps(): Step[] {
  const file = new URL('./cli-fixtures.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { fixtures: Step[] }).fixtures
}

/** Fills in earlier answers where a step names them: `${intent:id}`. */
function filled(text: string, answers: Map<string, Answer>): string {
  return text.replace(/\$\{(\w+):([\w.]+)\}/g, (_, name: string, path: string) => {
    let value: unknown = answers.get(name)?.body
    for (const step of path.split('.')) value = (value as Json | undefined)?.[step]
    return String(value)
  })
}

/** The same parameters with earlier answers filled in. */
function fill(value: unknown, answers: Map<string, Answer>): unknown {
  if (typeof value === 'string') return filled(value, answers)
  if (Array.isArray(value)) return value.map((one) => fill(one, answers))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, answers)]))
}

async function runAll(base: string, key: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const step of steps()) {
    const path = filled(step.path, answers)
    answers.set(step.name, await send(base, key, { ...step, path, params: fill(step.params ?? {}, answers) as Json }))
  }
  for (const [name, answer] of await runLife((step) => send(base, key, step))) answers.set(`life ${name}`, answer)
  return answers
}

function kind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return /^[a-z]+_[A-Za-z0-9_]{8,}$/.test(value) ? 'id' : 'text'
  if (typeof value === 'number') return value > 1_000_000_000 ? 'time' : 'number'
  return typeof value
}

/** Differences of two values, as lines `path: Stripe … / sandbox …`. */
function differences(theirs: unknown, ours: unknown, path: string): string[] {
  const [a, b] = [kind(theirs), kind(ours)]
  if (a !== b) return [`${path}: Stripe ${a} / sandbox ${b}`]
  if (a === 'object') {
    const [left, right] = [theirs as Json, ours as Json]
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].sort().flatMap((name) => {
      const here = path === '' ? name : `${path}.${name}`
      if (!(name in right)) return [`${here}: only at Stripe`]
      if (!(name in left)) return [`${here}: only in the sandbox`]
      return OWN_VALUES.has(name) ? [] : differences(left[name], right[name], here)
    })
  }
  if (a === 'array') {
    const [left, right] = [theirs as unknown[], ours as unknown[]]
    if (left.length === 0 || right.length === 0)
      return left.length === right.length ? [] : [`${path}: Stripe has ${left.length} / sandbox ${right.length}`]
    return differences(left[0], right[0], `${path}[0]`)
  }
  if (a === 'text' || a === 'number' || a === 'boolean')
    return theirs === ours ? [] : [`${path}: Stripe ${String(theirs)} / sandbox ${String(ours)}`]
  return []
}

const dataDir = mkdtempSync(join(tmpdir(), 'stripe-parity-'))
const sandbox = await startSandbox({ port: 0, dataDir, secretKey: OWN_KEY, publishableKey: 'pk_test_parity000000000' })
let differing = 0
try {
  const ours = await runAll(sandbox.url, OWN_KEY)
  const key = process.env['STRIPE_SECRET_KEY'] ?? ''
  const theirs = key.startsWith('sk_test_') ? await runAll('https://api.stripe.com', key) : undefined
  const expected = new Map(steps().map((step) => [step.name, step.expected_error_type]))
  for (const [name, mine] of ours) {
    const error = mine.body['error'] as Json | undefined
    const unexpected = (error?.['type'] ?? undefined) !== expected.get(name)
    const lines = [
      ...(unexpected
        ? [
            `expected ${expected.get(name) ?? 'success'}, the sandbox answered ` +
              `${String(error?.['message'] ?? mine.status)}`,
          ]
        : []),
      ...(theirs
        ? differences(
            { status: theirs.get(name)?.status, ...theirs.get(name)?.body },
            { status: mine.status, ...mine.body },
            '',
          )
        : []),
    ]
    if (lines.length > 0) differing += 1
    console.log(
      `${lines.length === 0 ? '=' : '≠'} ${name} ${mine.status} ` +
        `${String(error?.['decline_code'] ?? error?.['code'] ?? '')}`,
    )
    for (const line of lines) console.log(`    ${line}`)
  }
  console.log(
    theirs
      ? `${ours.size} steps compared with Stripe, ${differing} differ`
      : `${ours.size} steps run against the sandbox alone (set STRIPE_SECRET_KEY=sk_test_… to compare with ` +
          `Stripe), ${differing} went another way than expected`,
  )
} finally {
  await sandbox.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = differing > 0 ? 1 : 0
