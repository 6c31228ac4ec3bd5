import { existsSync, readFileSync } from 'node:fs'

/**
 * The database a command works on: DATABASE_URL, else the embedded one that `npm start` runs. Throws with what to do.
 */
export function namedDatabase(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment['DATABASE_URL']
  if (named) return named
  const found = started().database
  if (!found) throw new Error('No database named: set DATABASE_URL, or run npm start first.')
  return found
}

/** The site that `npm start` serves; empty when it never ran here. */
export function startedSite(): string {
  return started().site ?? ''
}

function started(): { database?: string; site?: string } {
  const addresses = new URL('../.data/addresses.json', import.meta.url)
  return existsSync(addresses)
    ? (JSON.parse(readFileSync(addresses, 'utf8')) as { database?: string; site?: string })
    : {}
}
