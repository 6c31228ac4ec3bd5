import { existsSync, readFileSync } from 'node:fs'

/** The database a command works on: DATABASE_URL, else the embedded one that `npm start` runs. Throws with what to do. */
export function namedDatabase(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment['DATABASE_URL']
  if (named) return named
  const addresses = new URL('../.data/addresses.json', import.meta.url)
  const found = existsSync(addresses)
    ? (JSON.parse(readFileSync(addresses, 'utf8')) as { database?: string }).database
    : undefined
  if (!found) throw new Error('No database named: set DATABASE_URL, or run npm start first.')
  return found
}
