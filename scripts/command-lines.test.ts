/** What every command of package.json says to an option that it does not have: its name, and what there is instead. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programOf } from './image/commands.ts'
import { runTool, startTool } from './processes.ts'
import { root } from './settings.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Each command's programs, as npm starts them. Prettier, ESLint and npm itself have words of their own. */
const PROGRAMS = Object.entries(scripts).flatMap(([name, script]) =>
  script
    .split(' && ')
    .filter((part) => part.startsWith('node '))
    .map((part) => {
      const program = part.replace(/^node (--env-file-if-exists=\.env )?/, '')
      // without the installation that comes before it
      return { name, program: program.replace(/^scripts\/(\w+)\.mjs/, 'scripts/run-$1.ts').split(' ') }
    }),
)

test('every command is looked at', () => {
  const names = new Set(PROGRAMS.map(({ name }) => name))
  expect(Object.keys(scripts).filter((name) => !names.has(name))).toEqual(['format', 'lint', 'install:production'])
})

test('README names every command', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const named = (name: string) => new RegExp(`(\`|npm (run )?)${name}[\`, ]`).test(readme)
  expect(Object.keys(scripts).filter((name) => !named(name))).toEqual([])
})

test.each(PROGRAMS)(
  'npm run $name refuses an option that it does not have, by name, before it does anything ($program.0)',
  async ({ name, program }) => {
    const { child, ended } = startTool([...program, '--nonsense'])
    // one that took it for work would go on for minutes
    const late = setTimeout(() => child.kill(), 50_000)
    const { ok, output } = await ended
    clearTimeout(late)
    expect(ok, output).toBe(false)
    expect(output).toMatch(/^error: unknown option '--nonsense'$/m)
    const command = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run (-s )?${name}`
    expect(output).toMatch(new RegExp(`^Usage: ${name === 'check' ? 'npm test' : command}( |$)`, 'm'))
    expect(output).not.toMatch(/^ +at /m)
  },
)

test('npm start explains itself', async () => {
  const { ok, output } = await runTool(['scripts/run-start.ts', '--help'])
  expect(ok, output).toBe(true)
  for (const part of ['everything on this machine', '--port, --site-port <n>', '--api-port <n>'])
    expect(output).toContain(part)
})

/** Commands that open a database, and what each needs to get that far. */
const ON_DATABASE = {
  migrate: [],
  backup: ['/nowhere'],
  'price-change': [],
  'tax-export': ['2026Q4'],
  'money-back': [],
  privacy: ['list', 'ann@example.com'],
  'operator:create': ['ann@example.com'],
}

test.each(Object.entries(ON_DATABASE))(
  'npm run %s names DATABASE_URL where that is no address, without a trace',
  async (command, args) => {
    const { ok, output } = await runTool([...programOf(command).split(' '), ...args], { env: { DATABASE_URL: 'shop' } })
    expect(ok, output).toBe(false)
    expect(output).toContain('DATABASE_URL is not right: has to be a postgres:// address')
    expect(output).not.toMatch(/^ +at /m)
  },
)

test.each([
  ['backup', '/nowhere', '--follow', '--keep', '7'],
  ['backup', '/nowhere', '--erased', '--follow'],
  ['restore', '/nowhere', '--finish', '--to', '/elsewhere'],
  ['content:import', '--branch', '--replace'],
])('npm run %s refuses two options of which one would be ignored: %s %s %s', async (command, ...args) => {
  const { ok, output } = await runTool([...programOf(command).split(' '), ...args])
  expect(ok, output).toBe(false)
  expect(output).toMatch(/^error: option '.+' cannot be used with option '.+'$/m)
})
