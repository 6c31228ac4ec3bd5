import { Graph, layout as place } from '@dagrejs/dagre'
import type { FlowGraph, FlowNode } from './graph.ts'

const WIDTH = 300
const LINE = 20

/** As tall as its words are: boxes are placed before they are drawn. */
export function sizesOf({ title, shownWhen = '', problems, number }: FlowNode): { width: number; height: number } {
  const lines = (text: string, inOne: number) => Math.ceil(text.length / inOne)
  const words = lines(title, 34) + lines(shownWhen && `Shown when ${shownWhen}`, 40)
  const rest = problems.reduce((sum, one) => sum + lines(one, 40), 0) + (number === undefined ? 0 : 1)
  return { width: WIDTH, height: 24 + (words + rest) * LINE }
}

/** The upper left corner of each step, from the top down. */
export function layout({ nodes, edges }: Pick<FlowGraph, 'nodes' | 'edges'>): Map<string, { x: number; y: number }> {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 60, ranksep: 56 })
  for (const node of nodes) graph.setNode(node.id, sizesOf(node))
  for (const { from, to, kind } of edges) graph.setEdge(from, to, { weight: kind === 'next' ? 2 : 1 }, kind)
  place(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x, y, width, height } = graph.node(id) as Record<'x' | 'y' | 'width' | 'height', number>
      return [id, { x: x - width / 2, y: y - height / 2 }]
    }),
  )
}
