/** The part of semver that is used (scripts/advisories.ts). */
declare module 'semver' {
  export interface Comparator {
    operator: '' | '=' | '<' | '<=' | '>' | '>='
    semver: { version: string }
  }
  export class Range {
    constructor(range: string)
    /** One list of comparators for each part between `||`. */
    set: Comparator[][]
  }
  export function satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean
}
