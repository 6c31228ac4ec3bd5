import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { StepNumbersView } from '../../contract/editors.ts'
import { flowGraph } from './graph.ts'
import { sizesOf, layout } from './layout.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents are broken here on purpose
type Any = any
const text = readFileSync(new URL('../dataset/quiz.ndjson', import.meta.url), 'utf8')
const sample = () => JSON.parse(text.split('\n')[0] ?? '') as Any
const glasses = {
  match: 'all',
  conditions: [{ _type: 'answerCondition', asked: 'visionCorrection', operator: 'contains', chosen: ['Yes, glasses'] }],
}

const view = (entered: Record<string, [entered: number, left: number] | null>): StepNumbersView =>
  ({
    steps: Object.entries(entered).map(([key, numbers], place) => ({
      place,
      key,
      figures: numbers && { entered: numbers[0], left: numbers[1] },
      change: null,
    })),
  }) as Any

test('K-05 the sample is drawn as one way from Welcome to the checkout', () => {
  const { nodes, edges, problems } = flowGraph(sample())
  expect(problems).toEqual([])
  expect(nodes).toHaveLength(35)
  expect(nodes[0]).toMatchObject({ number: 0, title: 'Welcome' })
  expect(nodes.at(-1)).toEqual({ id: '/checkout', title: '/checkout', problems: [] })
  expect(edges).toHaveLength(34)
  expect(new Set(edges.map(({ kind }) => kind))).toEqual(new Set(['next']))
})

test('K-05 a step with a condition has a way past it, and one that leads on past others makes a branch', () => {
  const document = sample()
  document.steps[5].showIf = glasses
  document.steps[5].next = '8'
  const { nodes, edges } = flowGraph(document)
  const id = (number: number) => nodes.find((node) => node.number === number)?.id
  expect(nodes[6]?.shownWhen).toBe('*Do you wear glasses or contact lenses?* contains *Yes, glasses*')
  expect(edges.filter(({ from }) => from === id(6))).toEqual([
    { from: id(6), to: id(8), kind: 'next' },
    { from: id(6), to: id(7), kind: 'passed' },
  ])
})

test('K-05 what the publish check finds stands at its step; a target that is not there has no edge', () => {
  const document = sample()
  document.steps[3].next = '77'
  const { nodes, edges } = flowGraph(document)
  const step = nodes.find(({ number }) => number === 4)
  expect(step?.problems).toEqual(['“77” is neither a step from 1 to 33 nor a path such as /checkout.'])
  expect(edges.some(({ from }) => from === step?.id)).toBe(false)
  expect(flowGraph(null).nodes.map(({ title }) => title)).toEqual(['Welcome'])
})

test('D-09 visitors on each way follow from the sums of the steps, and fewer than ten are not told', () => {
  const document = sample()
  document.steps[1].showIf = glasses
  const [first, second, third] = document.steps.map(({ _key }: { _key: string }) => _key)
  const edgesOf = (numbers: Parameters<typeof view>[0]) =>
    flowGraph(document, view(numbers)).edges.map(({ from, to, visitors }) => [from, to, visitors])
  const found = edgesOf({ '': [100, 5], [first]: [95, 5], [second]: [60, 10], [third]: [80, 75] })
  expect(found).toContainEqual(['welcome', first, 95])
  expect(found).toContainEqual([first, second, 90])
  // shown and went on; not shown
  expect(found.filter(([from]) => from === second)).toEqual([
    [second, third, 50],
    [second, third, 30],
  ])
  expect(found.find(([from]) => from === third)?.[2]).toBeUndefined()
  const few = edgesOf({ '': [100, 5], [first]: [95, 5], [second]: null })
  expect(few.filter(([from]) => from === second).map(([, , visitors]) => visitors)).toEqual([undefined, undefined])
})

test('K-05 every step of a quiz of sixty with forty conditions has a place of its own in the drawing', () => {
  const document = sample()
  const [question] = document.steps
  document.steps = Array.from({ length: 60 }, (_, n) => ({
    ...question,
    _key: `s${n}`,
    storageKey: `k${n}`,
    ...(n > 5 && n < 46 && { showIf: glasses }),
    ...(n % 7 === 0 && n < 50 && { next: String(n + 4) }),
  }))
  const graph = flowGraph(document)
  const places = layout(graph)
  expect(places.size).toBe(graph.nodes.length)
  const boxes = graph.nodes.map((node) => ({ ...sizesOf(node), ...(places.get(node.id) as { x: number; y: number }) }))
  for (const [at, one] of boxes.entries())
    for (const other of boxes.slice(at + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y
      expect(apart).toBe(true)
    }
})
