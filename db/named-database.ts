import { existsSync, readFileSync } from 'node:fs'
import { readSecret } from './secret-files.ts'

/** The database of a command: DATABASE_URL or its file, else the embedded one of `npm start`. Throws with instructions. */
export function namedDatabase(environment: Readonly<Record<string, string | undefined>>): string {
  const named = readSecret(environment, 'DATABASE_URL')
  if (named) return named
  const found = started().database
  if (!found) throw new Error('No database named: set DATABASE_URL or DATABASE_URL_FILE, or run npm start first.')
  return found
}

/** The address of the site of `npm start`; empty if it never ran here. */
export function startedSite(): string {
  return started().site ?? ''
}

function started(): { database?: string; site?: string } {
  const addresses = new URL('../.data/addresses.json', import.meta.url)
  return existsSync(addresses)
    ? (JSON.parse(readFileSync(addresses, 'utf8')) as { database?: string; site?: string })
    : {}
}
