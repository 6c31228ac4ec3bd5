import { existsSync, readFileSync } from 'node:fs'

/** A failpoint that a replica passed, and the how manieth time it was: `point#nth` lets it die there. */
export interface Passed {
  point: string
  nth: number
}

/** What a replica started with `trace@file` has passed, in order, but for the first `read` points. */
export function passed(file: string, read = 0): Passed[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const times = new Map<string, number>()
  return lines.slice(read).map((line) => {
    const [point = ''] = line.split(' ')
    const nth = (times.get(point) ?? 0) + 1
    times.set(point, nth)
    return { point, nth }
  })
}
