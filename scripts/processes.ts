/** Child processes that start on request, report when they are ready, and end when we do. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Program } from './programs.ts'
import { root } from './settings.ts'

/** Loaded before every program: the end of this process (even by SIGKILL) ends them too. */
const lifeline = new URL('./lifeline.mjs', import.meta.url).href

export interface Running {
  name: string
  child: ChildProcess
  /** The last lines it wrote. */
  tail(): string
  /** Settles when it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Asks it to finish, and kills it after 12 s. Harmless when it has ended. */
  stop(): Promise<void>
}

export interface LaunchOptions {
  logDir: string
  /** Also called with every chunk of output. */
  onOutput?: (name: string, text: string) => void
  /** Appends to the log of an earlier start instead of a new one. */
  append?: boolean
}

interface Log {
  write(text: string): void
  /** `done` is called when everything is written. */
  end(done?: () => void): void
}

/** Bytes after which a log begins anew; the one before it stays as `….1`. */
export const LOG_BYTES = 10_000_000

/** The log of a program, which never takes more than twice LOG_BYTES. A full disk costs lines, not the program. */
export function openLog(file: string, append: boolean, most = LOG_BYTES): Log {
  const open = (flags: string): Writable => {
    try {
      return createWriteStream(file, { fd: openSync(file, flags) }).on('error', () => undefined)
    } catch {
      return new Writable({ write: (_chunk, _encoding, done) => done() })
    }
  }
  let size = append ? (statSync(file, { throwIfNoEntry: false })?.size ?? 0) : 0
  let stream = open(append ? 'a' : 'w')
  return {
    write(text) {
      if (size > most) {
        stream.end()
        try {
          renameSync(file, `${file}.1`)
        } catch {
          // where an open file cannot be renamed, its lines are lost
        }
        stream = open('w')
        size = 0
      }
      size += Buffer.byteLength(text)
      stream.write(text)
    },
    end: (done) => void stream.end(done),
  }
}

/** Starts a program in a separate process group: Ctrl-C in the terminal reaches only us, and we stop all in order. */
export function launch(program: Program, options: LaunchOptions): Running {
  mkdirSync(options.logDir, { recursive: true })
  const log = openLog(join(options.logDir, `${program.name}.log`), options.append ?? false)
  const child = spawn(process.execPath, ['--import', lifeline, ...program.args], {
    cwd: root,
    env: { ...bareEnvironment(), ...program.env, LIFELINE_OF: String(process.pid) },
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  })
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      last = (last + text).slice(-8000)
      log.write(text)
      options.onOutput?.(program.name, text)
    })
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once('error', (error) => {
      last += error.message
      done({ code: 1, signal: null })
    })
    child.once('exit', (code, signal) => {
      log.end()
      done({ code, signal })
    })
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // Where there are no signals, closing the lifeline asks for the same.
    if (process.platform === 'win32') child.disconnect()
    else child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), 12_000)
    await ended
    clearTimeout(kill)
  }
  return {
    name: program.name,
    child,
    ended,
    tail: () => last.trim().split('\n').slice(-15).join('\n'),
    stop: () => (stopping ??= stop()),
  }
}

/** Resolves when the program answers; rejects with its last lines when it ends first or never answers. */
export async function untilReady(running: Running, url: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let over = false
  void running.ended.then(() => (over = true))
  while (Date.now() < deadline && !over) {
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
      await response.body?.cancel()
      if (response.status < 500) return
    } catch {
      // not listening yet
    }
    await new Promise((next) => setTimeout(next, 50))
  }
  const why = over ? 'ended before it was ready' : `did not answer at ${url} within ${timeoutMs / 1000} s`
  throw new Error(`${running.name} ${why}.${running.tail() ? ` It said:\n${running.tail()}` : ''}`)
}

export interface ToolOptions {
  cwd?: string
  env?: Record<string, string>
  /** As programs are started: nothing of what is set in this shell but `env`. */
  bare?: boolean
}

export interface Tool {
  child: ChildProcess
  ended: Promise<{ ok: boolean; output: string }>
}

/** Runs a tool to its end and keeps its output; never rejects. The tool ends when we do, however we end. */
export const runTool = (args: string[], options: ToolOptions = {}) => startTool(args, options).ended

/** The same for a tool that is told by a message what to do. */
export function startTool(args: string[], options: ToolOptions = {}): Tool {
  const child = spawn(process.execPath, ['--import', lifeline, ...args], {
    cwd: options.cwd ?? root,
    env: {
      ...(options.bare ? bareEnvironment() : process.env),
      FORCE_COLOR: '0',
      ...options.env,
      LIFELINE_OF: String(process.pid),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => (output += text))
  }
  const ended = new Promise<{ ok: boolean; output: string }>((done) => {
    child.once('error', (error) => done({ ok: false, output: error.message }))
    child.once('close', (code) => done({ ok: code === 0, output: stripVTControlCharacters(output).trim() }))
  })
  return { child, ended }
}

/** Builds run in the browsers of visitors and editors, also where a test runner sets NODE_ENV=test. */
export const BUILD_ENV = { NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' } as const

/** Runs a tool that has to succeed; rejects with what it said. */
export async function mustRun(name: string, { args, ...options }: ToolOptions & { args: string[] }): Promise<void> {
  const { ok, output } = await runTool(args, options)
  if (!ok) throw new Error(`${name} failed:\n${output.split('\n').slice(-15).join('\n')}`)
}

/** The variables that programs need from our environment, in capitals: Windows writes them as it likes. */
const PASSED_ON = new Set([
  ...['PATH', 'HOME', 'USER', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ'],
  ...['SYSTEMROOT', 'APPDATA', 'LOCALAPPDATA', 'COMSPEC', 'PATHEXT'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE', 'CI', 'NO_COLOR'],
])

/** Nothing else that is set in a shell leaks into programs. */
function bareEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => PASSED_ON.has(entry[0].toUpperCase()) && entry[1] !== undefined,
    ),
  )
}
