/** The units and the Compose file: written from the table, and as systemd itself judges them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECRETS } from '../../db/secret-files.ts'
import { readConfig } from '../../payments-service/config.ts'
import { findSystemdAnalyze } from '../../tests/support/systemd-analyze.ts'
import { runTool } from '../processes.ts'
import { root } from '../settings.ts'
import { balancerFile } from './balancer.ts'
import { commandFile, operatorsCommands } from './command.ts'
import { composeFile } from './compose.ts'
import { DEPLOYED, DRAIN_SECONDS, fileOf } from './programs.ts'
import { AROUND, replicaPorts, unitFiles } from './units.ts'

const ops = join(root, 'docs', 'ops')

test('N-03 docs/ops has the units, the Compose file and haproxy.cfg of the table (npm run ops:files)', () => {
  const files = unitFiles()
  expect(readdirSync(join(ops, 'systemd')).sort()).toEqual(['eye-funnel', ...Object.keys(files)].sort())
  expect(readFileSync(join(ops, 'systemd', 'eye-funnel'), 'utf8')).toBe(commandFile())
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(ops, 'systemd', name), 'utf8')).toBe(text)
  expect(readFileSync(join(ops, 'compose.yaml'), 'utf8')).toBe(composeFile())
  expect(readFileSync(join(ops, 'haproxy.cfg'), 'utf8')).toBe(balancerFile())
})

test('N-01 who has a database’s address has the way past a pooler, the service all secrets that it uses', () => {
  for (const { name, secrets, optionalSecrets = [] } of DEPLOYED) {
    if (secrets.includes('DATABASE_URL')) expect(optionalSecrets, name).toContain('DATABASE_URL_DIRECT')
    if (name !== 'service' && name !== 'worker') continue
    // the editors' token is the publisher's
    expect([...secrets, ...optionalSecrets, 'SANITY_TOKEN'].sort()).toEqual([...SECRETS].sort())
    const unit = Object.entries(unitFiles()).find(([file]) => file.startsWith(`eye-funnel-${name}`))?.[1] ?? ''
    for (const secret of optionalSecrets) {
      // the placeholder of a missing file does not count as a secret
      expect(unit).toContain(
        `SetCredential=${secret}:\\n\nLoadCredential=${secret}:/etc/eye-funnel/secrets/${secret}\n`,
      )
      expect(unit).toContain(`Environment=${secret}_FILE=%d/${secret}\n`)
      expect(composeFile()).toContain(`  ${secret}: { file: ./secrets/${secret} }\n`)
    }
  }
})

test('N-03 every program of the table is there, and starts with the secrets and the time that it gets', () => {
  for (const program of DEPLOYED) expect(existsSync(join(root, fileOf(program))), program.name).toBe(true)
  const { secrets, stop } = DEPLOYED.find(({ name }) => name === 'service')!
  expect(stop).toBe(DRAIN_SECONDS + 12)
  const values: Record<string, string> = {
    DATABASE_URL: 'postgres://u:p@db.example/funnel',
    TOKEN_SECRET: 'x'.repeat(32),
    STRIPE_SECRET_KEY: 'sk_test_12345678',
    STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
    SANITY_READ_TOKEN: 'token',
    SMTP_URL: 'smtps://mail.example',
  }
  const service = {
    NODE_ENV: 'production',
    SITE_URL: 'https://example.com',
    TRUST_PROXY: '1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
    SANITY_PROJECT_ID: 'abcd1234',
  }
  const given = Object.fromEntries(secrets.map((name) => [name, values[name]]))
  expect(readConfig({ ...service, ...given }).drainSeconds).toBe(DRAIN_SECONDS)
  const deploy = readFileSync(join(root, 'docs', 'deploy.md'), 'utf8')
  const [, listed = ''] = /`service\.env` has at least ([^.]*)\./.exec(deploy) ?? []
  // NODE_ENV is set in the units and in the image
  const { NODE_ENV: _, ...asked } = service
  expect([...listed.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name).sort()).toEqual(Object.keys(asked).sort())
})

test('N-03 the steps of a new release name every program that lasts: one left out would run the old code', () => {
  const deploy = readFileSync(join(root, 'docs', 'deploy.md'), 'utf8')
  const [withUnits = '', inContainers = ''] = [...deploy.matchAll(/\n\d\. A new release: ([^]*?)\n(?=\d\. |\n)/g)].map(
    ([, step]) => step,
  )
  for (const { name, runs, when, replicas } of DEPLOYED.filter(({ when }) => when !== 'daily')) {
    const units = replicas ? replicaPorts().map((port) => `${name}@${port}`) : [name]
    for (const unit of units) expect(withUnits, unit).toContain(`eye-funnel-${unit}`)
    const containers = replicas ? replicaPorts().map((_, index) => `${name}-${index + 1}`) : [name]
    if (!('command' in runs)) continue
    for (const one of containers) expect(inContainers, one).toMatch(`${when ? 'run --rm ' : ''}${one}`)
  }
  for (const word of ['git checkout', 'npm run install:production', 'daemon-reload']) expect(withUnits).toContain(word)
  // the plan of its migrations is asked for on this machine, too
  expect(operatorsCommands().service).toHaveProperty('migrate')
})

test('N-02 N-03 nginx beside the units serves a folder that is ours alone, to this machine alone', () => {
  const unit = unitFiles()['eye-funnel-publisher.service'] ?? ''
  const told = (name: string) => new RegExp(`^Environment=${name}=(.*)$`, 'm').exec(unit)?.[1]
  // the distribution's package writes its own page into /usr/share/nginx/html, with each upgrade
  expect(told('NGINX_ROOT')).toBe(told('SITE_LINK'))
  // whoever gets past the proxy with TLS says for himself from which address he comes
  expect(told('NGINX_LISTEN')).toBe('127.0.0.1:8080')
  expect(balancerFile()).toContain(`server site ${told('NGINX_LISTEN')}`)
  const deploy = readFileSync(join(root, 'docs', 'deploy.md'), 'utf8')
  expect(deploy).toContain(`include ${told('NGINX_ROOT')}/nginx.conf;`)
})

test('N-03 the Compose file’s own words build the site into the folder that its balancer reads', () => {
  const [, mounted] = /volumes: \['\.\/(\w+):\/usr\/share\/nginx:ro'\]/.exec(composeFile()) ?? []
  // a build works in the checkout, wherever it is started: a path from here has to be whole
  for (const told of ['SITE_LINK', 'SITE_BUILDS'])
    expect(composeFile()).toMatch(new RegExp(`^# .* ${told}=\\$PWD/${mounted}/\\w+ `, 'm'))
})

describe('the script that runs a command beside the units', () => {
  const script = join(ops, 'systemd', 'eye-funnel')
  const place = mkdtempSync(join(tmpdir(), 'eye-command-'))
  /** What it hands to systemd, one argument a line. */
  const asked = (...args: string[]) => {
    const PATH = `${place}:${process.env['PATH']}`
    const { stdout, stderr, status } = spawnSync(script, args, { encoding: 'utf8', env: { PATH, SUDO_USER: 'ann' } })
    return { lines: stdout.split('\n'), stderr, status }
  }
  beforeAll(() => writeFileSync(join(place, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 }))
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  test('N-03 D-12 each command gets the lines of its unit, and its arguments as they were given', () => {
    for (const [of, programs] of Object.entries(operatorsCommands())) {
      const unit = Object.entries(unitFiles()).find(([name]) => name.startsWith(`eye-funnel-${of}`))![1]
      const section = /\[Service\]\n([^[]*)/.exec(unit)![1]!
      const lines = section
        .split('\n')
        .filter((line) => line && !/^(Restart|ExecStart|TimeoutStop|Environment=DRAIN)|=%i|=1%i/.test(line))
      for (const [name, program] of Object.entries(programs)) {
        const run = asked(name, '--', 'a b', "o'clock $HOME")
        expect(run.stderr).toBe('')
        const id = run.lines.find((line) => line.startsWith('--unit='))!.slice('--unit='.length)
        for (const line of lines)
          expect(run.lines, name).toContain(line.replace('%d', `/run/credentials/${id}.service`))
        expect(run.lines).toContain('Environment=SUDO_USER=ann')
        const [file, ...own] = program.split(' ')
        expect(existsSync(join(root, file!))).toBe(true)
        expect(run.lines.slice(run.lines.indexOf('/usr/local/bin/node') + 1, -1)).toEqual([
          ...[file, ...own],
          ...['a b', "o'clock $HOME"],
        ])
      }
    }
  })

  test('N-03 another word is refused with the commands that there are', () => {
    for (const args of [[], ['service'], ['doctor;id']]) {
      const { status, stderr, lines } = asked(...args)
      expect([status, lines]).toEqual([2, ['']])
      expect(stderr).toMatch(/^Usage: eye-funnel .*doctor, .*site:rollback/)
    }
  })
})

test(
  'N-03 the Compose file is one by the schema of Compose, which does find a wrong word',
  { timeout: 240_000 },
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'eye-compose-'))
    const found = async (text: string): Promise<string[]> => {
      const file = join(place, 'compose.yaml')
      writeFileSync(file, text)
      const { output } = await runTool([join(root, 'node_modules/dclint/bin/dclint.cjs'), file, '--formatter', 'json'])
      const [{ messages }] = JSON.parse(output) as [{ messages: { rule: string; message: string }[] }]
      // its other rules are about style
      return messages
        .filter(({ rule }) => rule === 'invalid-schema' || rule === 'invalid-yaml')
        .map((one) => one.message)
    }
    expect(await found(composeFile())).toEqual([])
    expect(await found(composeFile().replace('start_period:', 'start_perriod:'))).toEqual([
      expect.stringContaining('/healthcheck'),
    ])
    rmSync(place, { recursive: true })
  },
)

describe.skipIf(!findSystemdAnalyze())('systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eye-units-'))
  /** Of units whose Node is the one of this machine. */
  const analyze = (...args: string[]) => spawnSync(findSystemdAnalyze()!, args, { cwd: folder, encoding: 'utf8' })
  const ours = Object.keys(unitFiles()).filter((name) => !name.endsWith('.conf'))
  const started = ours.flatMap((name) =>
    name.includes('@.') ? replicaPorts().map((port) => name.replace('@.', `@${port}.`)) : [name],
  )
  beforeAll(() => {
    for (const [name, text] of Object.entries(unitFiles())) {
      writeFileSync(join(folder, name), text.replace('/usr/local/bin/node', process.execPath))
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('N-03 systemd-analyze verify finds nothing wrong in the units, and does find a wrong line', () => {
    const paths = started.map((name) => `./${name}`)
    const found = (): string[] => {
      const { stdout, stderr } = analyze('verify', '--man=no', ...paths)
      return `${stdout}${stderr}`.split('\n').filter((line) => line.includes('eye-funnel'))
    }
    expect(found()).toEqual([])
    const name = 'eye-funnel-migrate.service'
    writeFileSync(join(folder, name), unitFiles()[name]!.replace('ProtectHome=yes', 'ProtectHouse=yes'))
    expect(found().join()).toContain('ProtectHouse')
  })

  test('N-03 the distribution’s programs are started again by a drop-in that systemd reads with their units', () => {
    const file = 'eye-funnel-restart.conf'
    const drop = unitFiles()[file]!
    const units = AROUND.map((name) => `${name}${name.endsWith('@') ? '18-main' : ''}.service`)
    for (const [at, name] of AROUND.entries()) {
      // each distribution has its own lines there; one that ends is what they have in common
      writeFileSync(join(folder, `${name}.service`), '[Service]\nExecStart=/bin/true\n')
      mkdirSync(join(folder, `${name}.service.d`))
      expect(drop).toContain(`/etc/systemd/system/${name}.service.d`)
      writeFileSync(join(folder, `${name}.service.d`, file), at === 0 ? drop.replace('RestartSec', 'RestartSek') : drop)
    }
    const { stdout, stderr } = analyze('verify', '--man=no', ...units.map((name) => `./${name}`))
    const found = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(file))
    // read with each of them: the broken copy is found, and it alone
    expect(found).toEqual([expect.stringMatching(/nginx\.service\.d.*RestartSek/)])
  })

  test('N-03 systemd calls the exposure of each of them OK', () => {
    for (const name of Object.keys(unitFiles()).filter((one) => one.endsWith('.service'))) {
      const judged = analyze('security', '--offline=yes', '--threshold=20', '--no-pager', `./${name}`)
      expect(judged.status, `${name}: ${judged.stdout.trim().split('\n').at(-1)}${judged.stderr}`).toBe(0)
    }
  })
})
