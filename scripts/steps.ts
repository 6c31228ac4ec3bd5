/** The checks that need no running program: each is one command with a name, and counts as one test. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './processes.ts'
import { root } from './settings.ts'

export interface Step {
  name: string
  /** Run by the project's Node. */
  args: string[]
  env?: Record<string, string>
}

export interface StepResult {
  name: string
  ok: boolean
  output: string
  milliseconds: number
}

const bin = (path: string) => join(root, 'node_modules', path)
/** What a tool keeps from its last run; an installation from the lockfile begins afresh. */
const cache = (path: string) => join(root, 'node_modules', '.cache', path)
/** By content, not by time: a file is judged again when it changed, and all are when a rule or an option did. */
const cached = (tool: string) => ['--cache', '--cache-strategy', 'content', '--cache-location', cache(tool)]

export function typeSteps(): Step[] {
  const tsc = bin('typescript/bin/tsc')
  const project = (name: string, folder: string): Step[] => {
    if (!existsSync(join(root, folder, 'tsconfig.json'))) return []
    const known = cache(`types/${folder.replaceAll('/', '-')}.tsbuildinfo`)
    return [{ name: `types: ${name}`, args: [tsc, '-p', folder, '--incremental', '--tsBuildInfoFile', known] }]
  }
  return [
    {
      name: 'types: site and tests',
      args: [bin('astro/bin/astro.mjs'), 'check', '--minimumSeverity', 'warning'],
      env: { ASTRO_TELEMETRY_DISABLED: '1' },
    },
    ...project('service and database', 'payments-service'),
    ...project('studio', 'studio'),
    ...project('stand-ins', 'stand-ins'),
    ...project('stand-in of Stripe.js', 'stand-ins/stripe/browser'),
    ...project('scripts', 'scripts'),
  ]
}

export function staticSteps(): Step[] {
  return [
    {
      name: 'format',
      args: [bin('prettier/bin/prettier.cjs'), '--check', '.', '--log-level', 'warn', ...cached('prettier')],
    },
    {
      name: 'lint and import directions',
      args: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0', ...cached('eslint')],
    },
    ...typeSteps(),
    { name: 'unused code', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  ]
}

/** Runs one step and collects its output; never rejects. */
export async function runStep(step: Step): Promise<StepResult> {
  const began = Date.now()
  const { ok, output } = await runTool(step.args, step.env ? { env: step.env } : {})
  return { name: step.name, ok, output, milliseconds: Date.now() - began }
}
