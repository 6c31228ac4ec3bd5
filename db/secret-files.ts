/**
 * A secret may be in a file that NAME_FILE names, as systemd, Compose and Kubernetes hand secrets over: a variable
 * is visible to every child process and in lists of processes.
 */
import { readFileSync } from 'node:fs'

/** Keys, tokens, and addresses with a password in them. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_URL_DIRECT',
  'DATABASE_URL_READ',
  'TOKEN_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SANITY_READ_TOKEN',
  'SANITY_TOKEN',
  'SMTP_URL',
  'META_CAPI_TOKEN',
  'ALERT_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const
export type SecretName = (typeof SECRETS)[number]

/** What an installation may be without: an empty file says that it is, so units and manifests are the same for all. */
export const OPTIONAL_SECRETS = [
  ...(['DATABASE_URL_DIRECT', 'DATABASE_URL_READ', 'META_CAPI_TOKEN', 'ALERT_URL'] as const),
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies readonly SecretName[]

type Environment = Readonly<Record<string, string | undefined>>

/** The value of a secret, from its variable or file; undefined when neither is set. Throws what is wrong, no value. */
export function readSecret(environment: Environment, name: SecretName): string | undefined {
  const file = environment[`${name}_FILE`]
  const value = environment[name] || undefined
  if (!file) return value
  const text = textOf(file, name).replace(/\r?\n$/, '')
  if (!text && OPTIONAL_SECRETS.some((one) => one === name)) return value
  if (value) throw new Error(`${name} and ${name}_FILE are both set: leave one out`)
  if (!text) throw new Error(`${name}_FILE is not right: the file is empty`)
  return text
}

function textOf(file: string, name: SecretName): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new Error(`${name}_FILE is not right: the file cannot be read (${code})`, { cause: error })
  }
}

/** The environment with every secret that is in a file, and what is wrong with each that cannot be read. */
export function withSecretFiles(environment: Environment): { given: Environment; problems: Map<string, string> } {
  const given: Record<string, string | undefined> = { ...environment }
  const problems = new Map<string, string>()
  for (const name of SECRETS) {
    try {
      given[name] = readSecret(environment, name)
    } catch (error) {
      problems.set(name, (error as Error).message)
    }
  }
  return { given, problems }
}

/** What to say of a variable that is not set. */
export function missing(name: string): string {
  return SECRETS.some((one) => one === name) ? `${name} is missing, and so is ${name}_FILE` : `${name} is missing`
}
