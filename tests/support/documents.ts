/** The documents of docs/ as tests read them: sections, tables, and the files that they name. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/settings.ts'

/** A document by its path from the root. */
export const documentAt = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The text under a heading of the second level; '' when there is none. */
export const sectionOf = (text: string, name: string): string =>
  text.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? ''

/** The cells of all tables in a text, without the delimiter rows. */
export const cellsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

/** Everything in backticks. */
export const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** The files of the repository that a text names in backticks: a path, or a file of the root. */
export const filesIn = (text: string): string[] =>
  codesIn(text).filter((code) => /^[\w@.-]+(\/[\w@.[\]-]+)*\.(ts|tsx|mjs|astro|json|ndjson|md)$/.test(code))

/** The named files that do not exist. */
export const missingFiles = (text: string): string[] => filesIn(text).filter((file) => !existsSync(join(root, file)))
