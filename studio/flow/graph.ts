import { leadsTo } from '../../contract/leads-to.ts'
import type { StepNumbersView } from '../../contract/editors.ts'
import { conditionWords } from '../check/condition-words.ts'
import { objects, words, type Document } from '../check/finding.ts'
import { checkDocument } from '../check/rules.ts'
import { numbersOf } from '../numbers/words.ts'

export interface FlowNode {
  id: string
  /** 0 Welcome; undefined: outside of the quiz. */
  number?: number
  /** Where its fields are, as Sanity writes paths; undefined: outside of the quiz. */
  path?: string
  title: string
  /** In words, titles and labels between asterisks. */
  shownWhen?: string
  /** What the publish check finds wrong with it. */
  problems: string[]
  /** Of last week; undefined: none, or fewer than ten. */
  entered?: number
  left?: number
}

export interface FlowEdge {
  from: string
  to: string
  /** `passed`: taken by those who are not shown the step. */
  kind: 'next' | 'passed'
  /** Of last week, where the sums say it. */
  visitors?: number
}

export interface FlowGraph {
  nodes: FlowNode[]
  edges: FlowEdge[]
  /** What is wrong with the quiz as a whole. */
  problems: string[]
}

type Step = Record<string, unknown>
const FEWEST = 10
const WELCOME = 'welcome'
const idOf = (step: Step, index: number): string => words(step['_key']) || `at ${index}`

/** The quiz as editors draw it: who is not shown a step goes on with the one below, others where it leads. */
export function flowGraph(document: Step | null, view?: StepNumbersView): FlowGraph {
  const steps = objects(document?.['steps'])
  const findings = checkDocument({ ...document, _id: 'quiz', _type: 'quiz' } as Document).filter(
    ({ level, path }) => level === 'error' && path[0] === 'steps',
  )
  const problemsOf = (step: Step) =>
    findings
      .filter(({ path }) => (path[1] as { _key?: string } | undefined)?._key === step['_key'])
      .map(({ message }) => message)
  const ids = steps.map(idOf)
  const keys = steps.map(({ _key }) => words(_key))
  const exits = new Map<string, FlowNode>()
  const edges: FlowEdge[] = ids[0] === undefined ? [] : [{ from: WELCOME, to: ids[0], kind: 'next' }]
  steps.forEach((step, index) => {
    const from = ids[index] as string
    const below = ids[index + 1]
    const next = words(step['next'])
    const target = leadsTo(next, index, keys)
    const to = typeof target === 'number' ? ids[target - 1] : target
    if (to?.startsWith('/')) exits.set(to, { id: to, title: to, problems: [] })
    if (to !== undefined) edges.push({ from, to, kind: 'next' })
    if (below !== undefined && conditionWords(step['showIf'], steps)) edges.push({ from, to: below, kind: 'passed' })
  })
  const nodes: FlowNode[] = [
    { id: WELCOME, number: 0, path: 'welcome', title: 'Welcome', problems: [], ...figures(view, '') },
    ...steps.map((step, index): FlowNode => {
      const shownWhen = conditionWords(step['showIf'], steps)
      return {
        id: ids[index] as string,
        number: index + 1,
        path: `steps[_key=="${words(step['_key'])}"]`,
        title: words(step['title']) || 'No title yet',
        problems: problemsOf(step),
        ...(shownWhen && { shownWhen }),
        ...figures(view, words(step['_key'])),
      }
    }),
    ...exits.values(),
  ]
  return {
    nodes,
    edges: withVisitors(nodes, edges),
    problems: findings.filter(({ path }) => path.length === 1).map(({ message }) => message),
  }
}

function figures(view: StepNumbersView | undefined, key: string): Pick<FlowNode, 'entered' | 'left'> {
  const found = numbersOf(view, key)?.figures
  return found ? { entered: found.entered, left: found.left } : {}
}

/**
 * Visitors who did not leave a step went where it leads. Of those who came to a step with a condition, whoever did not
 * enter it passed it over; the sums say how many only where all who came are counted, and where it is ten or more.
 */
function withVisitors(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): FlowEdge[] {
  const counted = new Map<FlowEdge, number>()
  for (const node of nodes) {
    const onwards = edges.find(({ from, kind }) => from === node.id && kind === 'next')
    if (onwards && node.entered !== undefined) counted.set(onwards, node.entered - (node.left ?? 0))
    const over = edges.find(({ from, kind }) => from === node.id && kind === 'passed')
    const came = edges.filter(({ to }) => to === node.id).map((edge) => counted.get(edge))
    if (!over || node.entered === undefined || came.includes(undefined)) continue
    const passed = came.reduce<number>((sum, one) => sum + (one ?? 0), 0) - node.entered
    if (passed >= 0) counted.set(over, passed)
  }
  return edges.map((edge) => {
    const visitors = counted.get(edge)
    return visitors === undefined || visitors < FEWEST ? edge : { ...edge, visitors }
  })
}
