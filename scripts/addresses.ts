/** Where everything is: for people as a table, for tools as .data/addresses.json. */
import { siteUrl, type World } from './programs.ts'

export type Addresses = Record<string, string>

/** Name → URL of the programs that run (site, api, studio, lake, stripe, mailbox, preview) and of the database. */
export function addressesOf(world: World, running: ReadonlySet<string>): Addresses {
  const { ports, databaseUrl } = world
  const names = ['api', 'studio', 'lake', 'stripe', 'mailbox', 'preview'] as const
  const others = names.filter((name) => running.has(name)).map((name) => [name, `http://localhost:${ports[name]}`])
  return { site: siteUrl(world), ...(Object.fromEntries(others) as Addresses), database: databaseUrl }
}

const what: Record<string, string> = {
  site: 'the funnel: open this',
  api: 'payments service',
  studio: "the editor's desk",
  lake: 'content lake (sample content)',
  stripe: 'payment sandbox: test card 4242 4242 4242 4242',
  mailbox: 'mails that were sent',
  preview: 'drafts, for the Studio',
  database: 'PostgreSQL',
}

export function printTable(addresses: Addresses, milliseconds: number): void {
  const shown = Object.entries(addresses).map(([name, url]): [string, string] => [name, withoutPassword(url)])
  const width = Math.max(...shown.map(([, url]) => url.length))
  const lines = shown.map(([name, url]) => `  ${name.padEnd(9)} ${url.padEnd(width)}  ${what[name] ?? ''}`.trimEnd())
  const seconds = (milliseconds / 1000).toFixed(1)
  process.stdout.write(`\n${lines.join('\n')}\n\nReady in ${seconds} s. Ctrl-C stops all of it; data stays in .data/\n`)
}

/** A database address for a screen; the whole one is in .data/addresses.json. */
function withoutPassword(url: string): string {
  const address = new URL(url)
  if (!address.password) return url.replace(/\/$/, '')
  address.password = '…'
  return decodeURIComponent(address.href)
}
