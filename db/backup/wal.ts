/** Receives the log while it is written, into files as pg_receivewal makes them. */
import { mkdirSync } from 'node:fs'
import { PARTIAL, refuseOther, rememberSystem, segmentsIn, setAside, walFolder } from './folder.ts'
import { copyFrom, readPlace, replicationClient, segmentName, writePlace } from './replication.ts'
import { Files, OtherHistory } from './wal-files.ts'

/** The slot keeps what we have not yet, and names us to `synchronous_standby_names`. */
export const WAL_SLOT = 'eye_funnel_wal'

/** Milliseconds between two reports where nothing is written; the server gives up after a minute. */
const REPORT_EVERY = 5_000
/** 2000-01-01, where PostgreSQL's clock begins. */
const EPOCH = 946_684_800_000

function status({ written, flushed }: Files): Buffer {
  const message = Buffer.alloc(34)
  message.write('r')
  message.writeBigInt64BE(written, 1)
  message.writeBigInt64BE(flushed, 9)
  // nothing is applied here
  message.writeBigInt64BE(0n, 17)
  message.writeBigInt64BE(BigInt(Date.now() - EPOCH) * 1_000n, 25)
  return message
}

/** What is said where the copies of another history were put. */
export const putAside = (aside: string): string => `the copies of another history of this timeline are in ${aside} now`

export interface WalReceiver {
  timeline: number
  /** The file of the log that it began with. */
  first: string
  /** Where the copies of another history were put, if there were any. */
  aside: string | undefined
  /** Where the server's disk is not needed any more. */
  flushed(): string
  /** Resolves after `stop`; rejects when the connection breaks. */
  ended: Promise<void>
  stop(): Promise<void>
}

/**
 * Receives the log of the server into `folder`/wal until it is stopped, past what the server does not have any more.
 * Everything is flushed and reported as soon as it is here, so that `synchronous_standby_names = 'eye_funnel_wal'`
 * makes every commit wait for this copy. Started again it goes on where it was: the server keeps the rest in a slot.
 */
export async function receiveWal(url: string, folder: string): Promise<WalReceiver> {
  const client = await replicationClient(url, WAL_SLOT)
  try {
    const { system, timeline, size, from, aside } = await beginning(client, folder)
    rememberSystem(walFolder(folder), system)
    const files = new Files(walFolder(folder), timeline, size, from)
    let report = (): void => {}
    let waiting = false
    const flushSoon = (): void => {
      if (waiting) return
      waiting = true
      // after all that has come with it
      setImmediate(() => {
        waiting = false
        files.flush()
        report()
      })
    }
    const timer = setInterval(() => report(), REPORT_EVERY)
    let stopping = false
    const ended = copyFrom(
      client,
      `START_REPLICATION SLOT "${WAL_SLOT}" PHYSICAL ${writePlace(from)} TIMELINE ${timeline}`,
      (piece, answer) => {
        report = () => (stopping ? undefined : answer(status(files)))
        const kind = String.fromCharCode(piece[0] ?? 0)
        if (kind === 'w') {
          files.write(piece.readBigInt64BE(1), piece.subarray(25))
          flushSoon()
        } else if (kind === 'k' && piece[17]) flushSoon()
      },
    )
      .then(() => {
        throw new Error('the server has left this timeline: take a new base backup')
      })
      .catch((error: unknown) => {
        if (stopping) return
        if (error instanceof OtherHistory) throw new Error(putAside(setAside(walFolder(folder), timeline)))
        throw error
      })
      .finally(() => {
        clearInterval(timer)
        files.close()
        return client.end().catch(() => undefined)
      })
    // wakes what waits for it, perhaps after a base backup
    ended.catch(() => undefined)
    return {
      timeline,
      first: segmentName(timeline, from, size),
      aside,
      flushed: () => writePlace(files.flushed),
      ended,
      stop: async () => {
        stopping = true
        await client.end().catch(() => undefined)
        await ended.catch(() => undefined)
      },
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

type Client = Awaited<ReturnType<typeof replicationClient>>

/**
 * Where to go on: after the last whole file, else where the slot begins, which is made if it is missing. What was
 * received beyond the server's own end is of another history, as after a second restore: both are the same timeline.
 * One that has come further is told by what it sends (`OtherHistory`).
 */
async function beginning(client: Client, folder: string) {
  const wal = walFolder(folder)
  const { rows } = await client.query<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM')
  const { rows: sizes } = await client.query<{ size: string }>(
    `select setting as size from pg_settings where name = 'wal_segment_size'`,
  )
  const system = rows[0]?.systemid ?? ''
  refuseOther(folder, system)
  mkdirSync(wal, { recursive: true, mode: 0o700 })
  const timeline = Number(rows[0]?.timeline)
  const size = BigInt(sizes[0]?.size ?? 0)
  const { made, place } = await ownSlot(client)
  const last = segmentsIn(wal, timeline).at(-1)
  const received = last ? placeAfter(last, size) : place
  const other = received > readPlace(rows[0]?.xlogpos ?? '0/0') && last !== undefined
  const aside = other ? setAside(wal, timeline) : undefined
  // a new slot holds nothing of before it: what lies between is lost; what is here already is compared with what comes
  const from = made || other ? place : received
  return { system, timeline, size, from: from - (from % size), aside }
}

/** Our slot and where it begins; made anew where there is none, or one whose log the server has dropped. */
async function ownSlot(client: Client): Promise<{ made: boolean; place: bigint }> {
  const slot = async () =>
    (
      await client.query<{ place: string | null; lost: boolean }>(
        `select restart_lsn::text as place, wal_status = 'lost' as lost from pg_replication_slots
        where slot_name = '${WAL_SLOT}'`,
      )
    ).rows[0]
  const found = await slot()
  if (found && !found.lost) return { made: false, place: readPlace(found.place ?? '0/0') }
  if (found) await client.query(`DROP_REPLICATION_SLOT "${WAL_SLOT}"`)
  await client.query(`CREATE_REPLICATION_SLOT "${WAL_SLOT}" PHYSICAL (RESERVE_WAL)`)
  return { made: true, place: readPlace((await slot())?.place ?? '0/0') }
}

/** The first place that a file does not hold for certain. */
function placeAfter(name: string, size: bigint): bigint {
  const number = BigInt(`0x${name.slice(8, 16)}`) * (0x1_0000_0000n / size) + BigInt(`0x${name.slice(16, 24)}`)
  return (name.endsWith(PARTIAL) ? number : number + 1n) * size
}
