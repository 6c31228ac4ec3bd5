/** What somebody can do about an error of the machine that only says what failed. */
import { statfsSync } from 'node:fs'

interface Room {
  bavail: number
  bsize: number
}

/** Megabytes that a first start writes, and what PostgreSQL needs at least to go on. */
const USUAL_MB = 300
const LEAST_MB = 100

/** Throws where the disk under a folder is too full to start; returns a warning where it soon will be. */
export function checkRoom(folder: string, { bavail, bsize }: Room = statfsSync(folder)): string | undefined {
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < LEAST_MB) throw new Error(`ENOSPC: ${free} MB are free under ${folder}`)
  return free < USUAL_MB
    ? `Only ${free} MB are free under ${folder}; a first start writes some ${USUAL_MB} MB.`
    : undefined
}

const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /\bENOSPC\b|No space left on device/,
    'The disk is full. Make room: a first start writes some 300 MB under .data. What was stored there is kept.',
  ],
  [
    /\bEROFS\b|read-only file system/i,
    'This folder cannot be written. npm start builds here and keeps its data in .data: copy the folder to where you ' +
      'may write, and start it there.',
  ],
  [
    /\b(?:EACCES|EPERM)\b|(?:file|directory)[^\n]*Permission denied|has wrong ownership/,
    'Something here belongs to another user. Start it as the user who owns the folder and its .data, or give both to ' +
      'yourself: sudo chown -R "$(id -u)" .',
  ],
]

/** The message, with what to do about it where that is known. */
export function withAdvice(message: string): string {
  if (/\blisten E(?:ACCES|PERM)\b/.test(message))
    return `${message}\nChoose a port above 1023: npm start -- --port 4321`
  const [, advice] = ADVICE.find(([pattern]) => pattern.test(message)) ?? []
  return advice ? `${message}\n\n${advice}` : message
}
