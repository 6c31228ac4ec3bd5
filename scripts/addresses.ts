/** The addresses of everything that runs: as a table for people, as .data/addresses.json for tools. */
import { siteUrl, type World } from './programs.ts'

export type Addresses = Record<string, string>

/**
 * Name → URL of the running programs (site with its operator pages, api, studio, lake, stripe, mailbox, preview, meta)
 * and of the database.
 */
export function addressesOf(world: World, running: ReadonlySet<string>): Addresses {
  const { ports, databaseUrl } = world
  const names = ['api', 'studio', 'lake', 'stripe', 'mailbox', 'preview', 'meta'] as const
  const others = names.filter((name) => running.has(name)).map((name) => [name, `http://localhost:${ports[name]}`])
  const site = siteUrl(world)
  return { site, operator: `${site}/operator`, ...(Object.fromEntries(others) as Addresses), database: databaseUrl }
}

const what: Record<string, string> = {
  site: 'the funnel: open this',
  operator: 'orders, refunds, the funnel in figures: sign in',
  api: 'payments service',
  studio: "the editor's desk",
  lake: 'content lake (sample content)',
  stripe: 'payment sandbox: test card 4242 4242 4242 4242',
  mailbox: 'mails that were sent',
  preview: 'drafts, for the Studio',
  meta: 'what advertisers would be told',
  database: 'PostgreSQL',
}

/** `note` is printed on a separate line below the table. */
export function printTable(addresses: Addresses, milliseconds: number, note = ''): void {
  const seconds = (milliseconds / 1000).toFixed(1)
  const ready = `Ready in ${seconds} s. Ctrl-C stops all of it; data stays in .data/`
  process.stdout.write(`\n${rows(addresses)}\n\n${ready}\n${note && `${note}\n`}`)
}

/** Prints what came up after the table. */
export function printLate(addresses: Addresses): void {
  if (Object.keys(addresses).length > 0) process.stdout.write(`${rows(addresses)}\n`)
}

function rows(addresses: Addresses): string {
  const shown = Object.entries(addresses).map(([name, url]): [string, string] => [name, withoutPassword(url)])
  const width = Math.max(...shown.map(([, url]) => url.length))
  return shown
    .map(([name, url]) => `  ${name.padEnd(9)} ${url.padEnd(width)}  ${what[name] ?? ''}`.trimEnd())
    .join('\n')
}

/** A database address for a screen; the whole one is in .data/addresses.json. */
function withoutPassword(url: string): string {
  const address = new URL(url)
  if (!address.password) return url.replace(/\/$/, '')
  address.password = '…'
  return decodeURIComponent(address.href)
}
