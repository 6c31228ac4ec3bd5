import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { readSecret, type SecretName } from './secret-files.ts'

/** What every address of a database has to be. */
export const PostgresAddress = z.url({ protocol: /^postgres(ql)?$/, error: 'has to be a postgres:// address' })

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The database of a command, past a pooler: DATABASE_URL_DIRECT, else DATABASE_URL, or their files, else the embedded
 * one of `npm start`. Throws with instructions.
 */
export function namedDatabase(environment: Environment): string {
  const named = configuredDatabase(environment)
  if (named) return named
  const found = startedDatabase()
  if (!found) throw new Error('No database named: set DATABASE_URL or DATABASE_URL_FILE, or run npm start first.')
  return found
}

/** The same without the embedded one; undefined where none is configured. */
export function configuredDatabase(environment: Environment): string | undefined {
  return readAddress(environment, 'DATABASE_URL_DIRECT') ?? readAddress(environment, 'DATABASE_URL')
}

function readAddress(environment: Environment, name: SecretName): string | undefined {
  const address = readSecret(environment, name)
  const { error } = PostgresAddress.optional().safeParse(address)
  if (error) throw new Error(`${name} is not right: ${error.issues[0]?.message}`)
  return address
}

/** The embedded database of `npm start`; undefined if it never ran here. */
export const startedDatabase = (): string | undefined => started().database

/** The address of the site of `npm start`; empty if it never ran here. */
export function startedSite(): string {
  return started().site ?? ''
}

/** The settings of the service of `npm start`; none where it does not run. */
export const startedService = (): Environment => read<Environment>('service.json')

const started = (): { database?: string; site?: string } => read('addresses.json')

/** What `npm start` writes for commands, into `.data`. */
function read<T extends object>(name: string): T | Record<string, never> {
  const file = new URL(`../.data/${name}`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : {}
}
