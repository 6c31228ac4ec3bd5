/** The programs as systemd's units (250 or newer), over a production install in /opt/eye-funnel. */
import { PORT } from '../image/build.ts'
import { DEPLOYED, type DeployedProgram, DRAIN_SECONDS, fileOf, secretsOf } from './programs.ts'

export const INSTALL = ['User=eye-funnel', 'Group=eye-funnel', 'WorkingDirectory=/opt/eye-funnel']

/** Nothing of the host is seen or changed that the program does not need; Node writes code at run time. */
export const HARDENING = [
  ...['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'AmbientCapabilities=', 'UMask=0077'],
  ...['ProtectSystem=strict', 'ProtectHome=yes', 'PrivateTmp=yes', 'PrivateDevices=yes'],
  ...['ProtectKernelTunables=yes', 'ProtectKernelModules=yes', 'ProtectKernelLogs=yes', 'ProtectControlGroups=yes'],
  ...['ProtectClock=yes', 'ProtectHostname=yes', 'ProtectProc=invisible', 'RestrictNamespaces=yes'],
  ...['RestrictRealtime=yes', 'RestrictSUIDSGID=yes', 'LockPersonality=yes', 'RemoveIPC=yes'],
  ...['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX', 'SystemCallArchitectures=native'],
  ...['SystemCallFilter=@system-service', 'SystemCallFilter=~@privileged', 'SystemCallErrorNumber=EPERM'],
]

const STATE = '/var/lib/eye-funnel'

/** Seconds after which the distribution's programs are started again, by the file below. */
export const RESTART_SECONDS = 1
/** The distribution's units of what is around ours. Debian starts none of them again when they die, but haproxy. */
export const AROUND = ['nginx', 'haproxy', 'pgbouncer', 'postgresql@'] as const
const restart = (): Record<string, string> => ({
  'eye-funnel-restart.conf': [
    '# Written by "npm run ops:files" from scripts/deploy/units.ts. A copy belongs into these folders, where there is',
    `# such a unit: ${AROUND.map((name) => `/etc/systemd/system/${name}.service.d`).join(' ')}`,
    '[Unit]',
    // however often it dies
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Restart=on-failure',
    `RestartSec=${RESTART_SECONDS}`,
    '',
  ].join('\n'),
})

/** The ports of the replicas, which name them: eye-funnel-service@4242. */
export function replicaPorts(): number[] {
  const { replicas = 1 } = DEPLOYED.find(({ name }) => name === 'service')!
  return Array.from({ length: replicas }, (_, index) => PORT + index)
}

/** Its settings and secrets, as lines of a unit. */
export function environmentOf(program: DeployedProgram): string[] {
  const { name, role, optionalSecrets = [], writes } = program
  const own: Record<string, string> = { NODE_ENV: 'production' }
  // each has a port of its own for its metrics, on this machine alone
  if (name === 'service') Object.assign(own, { PORT: '%i', METRICS_PORT: '1%i', DRAIN_SECONDS: String(DRAIN_SECONDS) })
  if (role) Object.assign(own, { PORT: String(role.port), METRICS_PORT: `1${role.port}` })
  if (name === 'publisher') {
    own['SITE_LINK'] = `${STATE}/${writes}/html`
    own['SITE_BUILDS'] = `${STATE}/${writes}/builds`
    own['API_SERVERS'] = replicaPorts()
      .map((port) => `127.0.0.1:${port}`)
      .join(',')
    // past the distribution's own folder, into which its package writes, and past the proxy with TLS nobody gets in
    own['NGINX_ROOT'] = own['SITE_LINK']
    own['NGINX_LISTEN'] = '127.0.0.1:8080'
  }
  return [
    ...Object.entries(own).map(([key, value]) => `Environment=${key}=${value}`),
    // read by systemd as root; what is there wins over the lines above
    `EnvironmentFile=-/etc/eye-funnel/${role ? 'service' : name}.env`,
    ...secretsOf(program).flatMap((secret) => [
      // in place of a file that is not there; a line without text, because systemd takes no empty one
      ...(optionalSecrets.includes(secret) ? [`SetCredential=${secret}:\\n`] : []),
      `LoadCredential=${secret}:/etc/eye-funnel/secrets/${secret}`,
      `Environment=${secret}_FILE=%d/${secret}`,
    ]),
  ]
}

/** Where it writes, as lines of a unit. */
export const writing = ({ name, writes }: DeployedProgram): string[] => [
  ...(writes
    ? [`StateDirectory=eye-funnel/${writes}`, `StateDirectoryMode=${name === 'publisher' ? '0755' : '0700'}`]
    : []),
  // a build keeps caches in its checkout, and nginx reads what it makes
  ...(name === 'publisher' ? ['ReadWritePaths=/opt/eye-funnel', 'UMask=0022'] : []),
]

function unit(program: DeployedProgram): string {
  const { name, about, when, runs, stop, role } = program
  const args = 'args' in runs ? (runs.args ?? []) : []
  // a migration that fails must not keep a replica from coming back: it refuses an old schema by itself
  const after =
    name === 'service' || role ? ['Wants=eye-funnel-migrate.service', 'After=eye-funnel-migrate.service'] : []
  return [
    '# Written by "npm run ops:files" from scripts/deploy/programs.ts.',
    '[Unit]',
    `Description=Eye funnel: ${about}`,
    ...['Wants=network-online.target', 'After=network-online.target', ...after],
    ...(when ? [] : ['StartLimitIntervalSec=0']),
    '',
    '[Service]',
    ...(when ? ['Type=oneshot'] : ['Restart=always', 'RestartSec=5']),
    ...INSTALL,
    // in front of the settings that it shares with the replicas
    `ExecStart=${role ? `/usr/bin/env ROLE=${role.name} ` : ''}` +
      `/usr/local/bin/node ${[fileOf(program), ...args].join(' ')}`,
    `TimeoutStopSec=${stop}`,
    ...environmentOf(program),
    ...HARDENING,
    ...writing(program),
    ...(when ? [] : ['', '[Install]', 'WantedBy=multi-user.target']),
    '',
  ].join('\n')
}

function timer({ about }: DeployedProgram): string {
  return [
    '# Written by "npm run ops:files" from scripts/deploy/programs.ts.',
    '[Unit]',
    `Description=Eye funnel: ${about}, daily`,
    '',
    '[Timer]',
    ...['OnCalendar=*-*-* 03:00:00 UTC', 'RandomizedDelaySec=1h', 'Persistent=yes'],
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n')
}

/** A build brings its policies and addresses in its nginx.conf: nginx reads it whenever the link is put in place. */
const RELOAD = 'eye-funnel-reload'
const reload = (): Record<string, string> => ({
  [`${RELOAD}.path`]: [
    '# Written by "npm run ops:files" from scripts/deploy/units.ts.',
    '[Unit]',
    'Description=Eye funnel: waits for another build of the site',
    '',
    '[Path]',
    // the folder of the link; what a build writes lies deeper
    `PathChanged=${STATE}/site`,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n'),
  [`${RELOAD}.service`]: [
    '# Written by "npm run ops:files" from scripts/deploy/units.ts.',
    '[Unit]',
    'Description=Eye funnel: has nginx read the build that is live',
    ...['After=nginx.service', 'StartLimitIntervalSec=0'],
    '',
    '[Service]',
    'Type=oneshot',
    // one with mistakes is refused, and nginx goes on as it was
    'ExecStart=/usr/bin/systemctl reload nginx.service',
    ...HARDENING,
    '',
  ].join('\n'),
})

/** The units by their file names. */
export function unitFiles(): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries({ ...reload(), ...restart() }),
    ...DEPLOYED.flatMap((program) => {
      const name = `eye-funnel-${program.name}`
      const service = [`${name}${program.replicas ? '@' : ''}.service`, unit(program)]
      return program.when === 'daily' ? [service, [`${name}.timer`, timer(program)]] : [service]
    }),
  ]) as Record<string, string>
}
