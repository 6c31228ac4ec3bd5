/** The programs of an installation; systemd's units and the Compose file are both made from this table. */
import { OPTIONAL_SECRETS, type SecretName } from '../../db/secret-files.ts'
import { PORT } from '../image/build.ts'
import { commands } from '../image/commands.ts'

export interface DeployedProgram {
  name: string
  about: string
  /** A command of the image, or a program outside it. */
  runs: { command: string; args?: readonly string[] } | { file: string }
  /** `once` before the others, or `daily`; else it lasts. */
  when?: 'once' | 'daily'
  replicas?: number
  /** What it cannot do without, handed over as files. */
  secrets: readonly SecretName[]
  /** What it uses where it is there; the file is empty where it is not. */
  optionalSecrets?: readonly SecretName[]
  /** Seconds that it needs to stop. */
  stop: number
  /** The folder of its own below /var/lib/eye-funnel. */
  writes?: string
  /** Only on request: `backups` unless the database's host makes them, `worker` beside ROLE=web. */
  optional?: 'backups' | 'worker'
  /** The service in this role, with the service's settings, on this port. */
  role?: { name: 'worker'; port: number }
}

export const DRAIN_SECONDS = 10
/** After the drain: 10 s for requests under way, and the time to end. */
const END_SECONDS = 12

const OF_SERVICE: readonly SecretName[] = [
  ...(['DATABASE_URL', 'TOKEN_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const),
  ...(['SANITY_READ_TOKEN', 'SMTP_URL'] as const),
]

/** Past a pooler, where there is one. */
const OF_DATABASE = { secrets: ['DATABASE_URL'], optionalSecrets: ['DATABASE_URL_DIRECT'] } as const

export const DEPLOYED: readonly DeployedProgram[] = [
  {
    name: 'migrate',
    about: 'brings the database to the newest migration',
    runs: { command: 'migrate' },
    when: 'once',
    ...OF_DATABASE,
    stop: END_SECONDS,
  },
  {
    name: 'service',
    about: 'payments and access',
    runs: { command: 'service' },
    replicas: 2,
    secrets: OF_SERVICE,
    optionalSecrets: OPTIONAL_SECRETS,
    stop: DRAIN_SECONDS + END_SECONDS,
  },
  {
    name: 'worker',
    about: 'the work beside requests',
    runs: { command: 'service' },
    role: { name: 'worker', port: PORT - 1 },
    secrets: OF_SERVICE,
    optionalSecrets: OPTIONAL_SECRETS,
    // it gets no requests, so it does not drain
    stop: END_SECONDS,
    optional: 'worker',
  },
  {
    name: 'publisher',
    about: 'builds what editors publish',
    runs: { file: 'scripts/publisher/main.ts' },
    secrets: ['SANITY_TOKEN'],
    stop: END_SECONDS,
    writes: 'site',
  },
  {
    name: 'backup-log',
    about: 'receives the log of the database',
    runs: { command: 'backup', args: ['/var/lib/eye-funnel/backups', '--follow'] },
    ...OF_DATABASE,
    stop: END_SECONDS,
    writes: 'backups',
    optional: 'backups',
  },
  {
    name: 'backup',
    about: 'makes a base backup',
    runs: { command: 'backup', args: ['/var/lib/eye-funnel/backups', '--keep', '7'] },
    when: 'daily',
    ...OF_DATABASE,
    stop: END_SECONDS,
    writes: 'backups',
    optional: 'backups',
  },
]

/** Every secret that a program is handed, as a file of its name. */
export const secretsOf = ({ secrets, optionalSecrets = [] }: DeployedProgram): readonly SecretName[] => [
  ...secrets,
  ...optionalSecrets,
]

/** The program of a checkout. */
export function fileOf({ runs }: DeployedProgram): string {
  if ('file' in runs) return runs.file
  const file = commands()[runs.command]
  if (!file) throw new Error(`The image has no command ${runs.command}`)
  return file
}
