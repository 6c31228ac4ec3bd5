/**
 * One writer at a time in a folder that several processes, or several hosts, share. The newest file `NAME.lease.N` is
 * the holder's; a process that finds it released, silent or its process dead creates N + 1, which only one can. A
 * holder that was taken for dead finds a newer file than its own, and may change nothing any more.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const BEAT_MS = 2_000
/** Longer than any work of ours keeps a process from beating. */
const SILENT_MS = 20_000
const LOOK_MS = 50
const PATIENT_MS = 2_000

export interface Lease {
  /** Throws LeaseLost when another process has taken over meanwhile. */
  assertHeld(): void
}

export class LeaseLost extends Error {}

/** Waits for the lease, does the work and releases it, whatever comes of the work. */
export async function withLease<T>(
  folder: string,
  name: string,
  work: (lease: Lease) => Promise<T> | T,
  silentMs = SILENT_MS,
): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const mine = await take(folder, name, silentMs)
  const file = fileOf(folder, name, mine)
  const beat = setInterval(() => touch(file, Date.now() / 1000), BEAT_MS).unref()
  // the beginning of time says that it is over
  const release = () => touch(file, 0)
  process.once('exit', release)
  try {
    return await work({
      assertHeld() {
        if (newest(folder, name) !== mine) throw new LeaseLost(`Another process took over ${file}`)
      },
    })
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

async function take(folder: string, name: string, silentMs: number): Promise<number> {
  let seen = { state: '', since: 0 }
  let told = false
  for (;;) {
    const last = newest(folder, name)
    const holder = last === 0 ? undefined : look(fileOf(folder, name, last))
    const state = `${last} ${holder?.beat}`
    // by our own clock: those of two hosts differ
    if (state !== seen.state) seen = { state, since: performance.now() }
    const waited = performance.now() - seen.since
    if (!holder || holder.beat === 0 || isDead(holder.who) || waited > silentMs) {
      if (claim(folder, name, last + 1)) return last + 1
      continue
    }
    if (!told && waited > PATIENT_MS) {
      console.log(`Waiting for process ${holder.who.pid} on ${holder.who.host}, which works in ${folder}`)
      told = true
    }
    await sleep(LOOK_MS)
  }
}

function claim(folder: string, name: string, generation: number): boolean {
  try {
    writeFileSync(fileOf(folder, name, generation), JSON.stringify(self()), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  // a process that looked long ago may create a number that has come and gone
  const won = newest(folder, name) === generation
  for (const one of generations(folder, name)) {
    if (won ? one < generation : one === generation) rmSync(fileOf(folder, name, one), { force: true })
  }
  return won
}

const fileOf = (folder: string, name: string, generation: number) => join(folder, `${name}.lease.${generation}`)

function generations(folder: string, name: string): number[] {
  const start = `${name}.lease.`
  return readdirSync(folder).flatMap((one) => (one.startsWith(start) ? [Number(one.slice(start.length))] : []))
}

const newest = (folder: string, name: string): number => Math.max(0, ...generations(folder, name))

function touch(file: string, seconds: number): void {
  try {
    utimesSync(file, seconds, seconds)
  } catch {
    // taken over and cleared away
  }
}

interface Holder {
  host: string
  pid: number
  /** Where that number means this process: a kernel's start and a container's own numbers. */
  numbers: string
}

function self(): Holder {
  return { host: hostname(), pid: process.pid, numbers: numbers() }
}

function numbers(): string {
  if (process.platform !== 'linux') return hostname()
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
}

function look(file: string): { beat: number; who: Holder } | undefined {
  try {
    const beat = statSync(file).mtimeMs
    const text = readFileSync(file, 'utf8')
    return { beat, who: text ? (JSON.parse(text) as Holder) : { host: '', pid: 0, numbers: '' } }
  } catch {
    return undefined
  }
}

function isDead(who: Holder): boolean {
  if (who.numbers !== numbers()) return false
  try {
    process.kill(who.pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
