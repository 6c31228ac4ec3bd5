/** What a statement of a migration locks, and whether it may run while buyers buy. Reads the text; asks no database. */

/** expand: the release before goes on with it. contract: only the release of this code does. */
export type Phase = 'expand' | 'contract'

export interface Judged {
  /** The beginning of the statement, on one line. */
  text: string
  phase: Phase
  /** What waits meanwhile, in words; undefined where nothing that is in use does. */
  locks?: string
  /** Why it must not run while buyers buy. */
  problem?: string
}

/** The statements of a text, without comments; what is in quotes is left as it is. */
export function statementsOf(text: string): string[] {
  const found: string[] = []
  let one = ''
  // a quoted text, a body between dollars, a comment, the end of a statement, or any other character
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|(\$\w*\$)[^]*?\1|--[^\n]*|;|[^]/g)) {
    if (token === ';') {
      found.push(one)
      one = ''
    } else one += token.startsWith('--') ? ' ' : token
  }
  return [...found, one]
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** Parts of `alter table`, at the commas outside of brackets and quotes. */
function actionsOf(list: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const [token] of list.matchAll(/'(?:[^']|'')*'|[^]/g)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim())
}

interface Rule {
  of: RegExp
  phase?: Phase
  problem?: string
  /** The lock holds nothing up. */
  free?: true
}

/** The first that fits counts. All of them lock the table for everybody, for a moment. */
const ACTIONS: readonly Rule[] = [
  { of: /^drop constraint|^alter (column )?\w+ drop (not null|default)|^validate constraint/ },
  { of: /^drop/, phase: 'contract' },
  { of: /^rename/, phase: 'contract' },
  { of: /^alter (column )?\w+ (set data )?type/, phase: 'contract', problem: 'writes every row anew' },
  {
    of: /^alter (column )?\w+ set not null/,
    phase: 'contract',
    problem: 'reads every row while everybody waits: add a check "not valid", validate it, then set it',
  },
  {
    of: /^add (column )?.* generated always as (?!identity).*\) stored/,
    problem: 'writes every row anew: a virtual column does not',
  },
  {
    of: /^add (column )?.* default (?!(null|true|false|now\(\)|current_timestamp|-?\d|'[^']*')(::| |$))/,
    problem: 'writes every row anew where the default is another for each row',
  },
  {
    of: /^add (column )?(?!constraint)(?!.* default ).* not null/,
    phase: 'contract',
    problem: 'fails where there are rows, and for the release before: give it a default',
  },
  { of: /^add constraint .* not valid$/ },
  {
    of: /^add constraint .*using index/,
    phase: 'contract',
  },
  {
    of: /^add (constraint|check|foreign key|unique|primary key|exclude)/,
    problem: 'reads every row while everybody waits: add it "not valid" and validate it in another migration',
  },
  { of: /^add (column )?/ },
  { of: /^(set \(|enable|disable|alter (column )?\w+ set (default|statistics|storage))/ },
]

const named = '(?:if (?:not )?exists )?(?:only )?"?([\\w.]+)"?'
const STATEMENTS: readonly (Rule & { table?: RegExp; lock?: string })[] = [
  { of: /^create (unlogged )?table/, free: true },
  {
    of: /^create (or replace )?(function|procedure|view|type|domain)|^create (type|sequence|schema)|^comment/,
    free: true,
  },
  { of: /^(drop|create) (unique )?index concurrently|^create statistics|^analyze /, free: true },
  {
    of: /^create (unique )?index/,
    table: /\bon (?:only )?"?([\w.]+)"?/,
    lock: 'whoever writes waits while it is built',
    problem: 'stops the shop while it is built: "create index concurrently", in a migration without a transaction',
  },
  {
    of: /^create (or replace )?(constraint )?trigger/,
    table: /\bon "?([\w.]+)"?/,
    lock: 'whoever writes waits, for a moment',
  },
  { of: /^drop trigger/, table: /\bon "?([\w.]+)"?/, lock: 'everybody waits, for a moment' },
  { of: /^drop index/ },
  { of: /^drop (function|procedure|view|type|table|sequence|materialized)/, phase: 'contract' },
  { of: /^(insert into|select|with .*insert into|call|do) ?/, free: true },
  {
    of: /^(update|delete from|truncate|merge into)/,
    table: new RegExp(`^(?:update|delete from|truncate(?: table)?|merge into) ${named}`),
    lock: 'the rows it changes are locked to the end',
    problem: 'locks the rows to the end of the migration: change them in portions, after the release',
  },
]

/** Judges the statements of one migration in turn; `made`: the tables that are not in use yet. */
export function judge(statement: string, made: Set<string>): Judged {
  const lower = statement.toLowerCase()
  const text = statement.length > 100 ? `${statement.slice(0, 99)}…` : statement
  const table = new RegExp(`^create (?:unlogged )?table ${named}`).exec(lower)?.[1]
  if (table) made.add(table)
  const altered = new RegExp(`^alter table ${named}\\*? (.*)$`).exec(lower)
  if (altered?.[1] && altered[2] !== undefined) return judgeAlter(text, altered[1], altered[2], made)
  const rule = STATEMENTS.find(({ of }) => of.test(lower))
  if (!rule) return { text, phase: 'contract', problem: 'is of a kind that nobody has judged: see db/statements.ts' }
  const phase = rule.phase ?? 'expand'
  const { locks } = referenced(lower, made)
  if (rule.free) return { text, phase, ...(locks ? { locks } : {}) }
  const on = rule.table?.exec(lower)?.[1]
  if (on !== undefined && made.has(on)) return { text, phase: 'expand' }
  return {
    text,
    phase,
    locks: on === undefined ? 'everybody waits, for a moment' : `${on}: ${rule.lock ?? ''}`,
    ...(rule.problem === undefined ? {} : { problem: rule.problem }),
  }
}

/** A foreign key keeps the table that it names from being written to while it is made. */
function referenced(statement: string, made: ReadonlySet<string>): { locks?: string } {
  const tables = [...statement.matchAll(/\breferences "?([\w.]+)"?/g)].map(([, name = '']) => name)
  const used = [...new Set(tables)].filter((name) => !made.has(name))
  return /^create (unlogged )?table/.test(statement) && used.length > 0
    ? { locks: `${used.join(', ')}: whoever writes waits, for a moment` }
    : {}
}

function judgeAlter(text: string, table: string, list: string, made: ReadonlySet<string>): Judged {
  if (made.has(table)) return { text, phase: 'expand' }
  const rules = actionsOf(list).map((action) => ACTIONS.find(({ of }) => of.test(action)))
  const problem = rules.includes(undefined)
    ? 'is of a kind that nobody has judged: see db/statements.ts'
    : rules.find((rule) => rule?.problem)?.problem
  return {
    text,
    phase: rules.some((rule) => !rule || rule.phase === 'contract') ? 'contract' : 'expand',
    locks: `${table}: everybody waits, for a moment`,
    ...(problem === undefined ? {} : { problem }),
  }
}
