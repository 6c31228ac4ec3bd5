/**
 * PostgreSQL's replication protocol, as pg_basebackup and pg_receivewal speak it. Those programs come with a full
 * PostgreSQL only and refuse a newer server; what they send is two commands.
 */
import pg from 'pg'
import { messageOf } from '../command.ts'

/** What a command copies to us, piece by piece. The piece is valid until this returns. */
export type OnCopy = (piece: Buffer, answer: (message: Buffer) => void) => void

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
}

/** A command whose answer is copied; pg's own queries drop that part. */
class CopyingQuery extends pg.Query {
  readonly #onCopy: OnCopy
  constructor(text: string, onCopy: OnCopy, done: (error?: Error | null) => void) {
    super(text, undefined, (error: Error | null | undefined) => done(error))
    this.#onCopy = onCopy
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    this.#onCopy(chunk, (message) => connection.sendCopyFromChunk(message))
  }
}

/** Runs a command and resolves when all of it was copied. An error thrown by `onCopy` ends it. */
export function copyFrom(client: pg.Client, command: string, onCopy: OnCopy): Promise<void> {
  return new Promise((done, fail) => {
    let broken: Error | undefined
    const guarded: OnCopy = (piece, answer) => {
      if (broken) return
      try {
        onCopy(piece, answer)
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error))
        fail(broken)
      }
    }
    client.once('error', fail)
    client.once('end', () => fail(new Error('PostgreSQL closed the connection')))
    client.query(new CopyingQuery(command, guarded, (error) => (error ? fail(error) : done())))
  })
}

/** A connection that takes SQL and replication commands. The role needs REPLICATION. */
export async function replicationClient(url: string, name: string): Promise<pg.Client> {
  const address = new URL(url)
  address.searchParams.set('replication', 'database')
  // a backup has no time limit
  const client = new pg.Client({
    connectionString: address.href,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 0,
  })
  // said by the command that runs; without a listener it would end this process
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw new Error(`PostgreSQL lets us not read a backup: ${messageOf(error)}. ${HELP}`, { cause: error })
  }
}

const HELP =
  'The role of DATABASE_URL needs REPLICATION, and pg_hba.conf a line for the database "replication". Where the ' +
  "database's host allows neither, its own point-in-time recovery is the backup (docs/deploy.md)."

/** A place in the log as PostgreSQL writes it, 16/B374D848, as one number. */
export function readPlace(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const writePlace = (place: bigint): string =>
  `${(place >> 32n).toString(16).toUpperCase()}/${(place & 0xffffffffn).toString(16).toUpperCase()}`

/** The name of the file of the log in which a place lies. */
export function segmentName(timeline: number, place: bigint, segmentSize: bigint): string {
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')
  const number = place / segmentSize
  const each = 0x1_0000_0000n / segmentSize
  return hex(BigInt(timeline)) + hex(number / each) + hex(number % each)
}
