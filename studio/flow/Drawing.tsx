import '@xyflow/react/dist/style.css'
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { useMemo } from 'react'
import { useColorSchemeValue } from 'sanity'
import { Box, Canvas } from './Flow.styles.ts'
import type { FlowEdge, FlowGraph, FlowNode } from './graph.ts'
import { layout, sizesOf } from './layout.ts'
import { StepWords } from './StepWords.tsx'

type DrawnNode = Node<{ step: FlowNode }>

/** Loaded when it is looked at: a library and its styles that no other part of the Studio needs. */
export default function Drawing({ graph }: { graph: FlowGraph }) {
  const { nodes, edges } = useMemo(() => drawn(graph), [graph])
  const scheme = useColorSchemeValue()
  return (
    <Canvas role="region" aria-label="The quiz as a drawing">
      <ReactFlowProvider>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          colorMode={scheme}
          panOnScroll
          zoomOnScroll={false}
          minZoom={0.1}
          defaultViewport={viewOf(nodes)}
          proOptions={{ hideAttribution: true }}
        >
          <Background />
          <Controls showInteractive={false} />
        </ReactFlow>
      </ReactFlowProvider>
    </Canvas>
  )
}

const TYPES = { step: StepNode }

/** Words are the box; a link that is reached by keyboard is brought into sight. */
function StepNode({ data: { step }, positionAbsoluteX, positionAbsoluteY }: NodeProps<DrawnNode>) {
  const { setCenter, getZoom } = useReactFlow()
  const { width, height } = sizesOf(step)
  const show = () => void setCenter(positionAbsoluteX + width / 2, positionAbsoluteY + height / 2, { zoom: getZoom() })
  return (
    <>
      <Handle type="target" position={Position.Top} />
      <Handle id="next" type="source" position={Position.Bottom} />
      <Handle id="passed" type="source" position={Position.Right} />
      <Box
        className="nopan"
        data-broken={step.problems.length > 0 ? '' : undefined}
        data-sometimes={step.shownWhen === undefined ? undefined : ''}
      >
        <StepWords node={step} onFocus={show} />
      </Box>
    </>
  )
}

function drawn(graph: FlowGraph): { nodes: DrawnNode[]; edges: Edge[] } {
  const places = layout(graph)
  return {
    nodes: graph.nodes.map((step) => ({
      id: step.id,
      type: 'step',
      position: places.get(step.id) ?? { x: 0, y: 0 },
      data: { step },
      ...sizesOf(step),
    })),
    edges: graph.edges.map(drawnEdge),
  }
}

function drawnEdge({ from, to, kind, visitors }: FlowEdge): Edge {
  const words = [kind === 'passed' ? 'others' : '', visitors === undefined ? '' : visitors.toLocaleString('en')]
  const label = words.filter(Boolean).join(': ')
  return {
    id: `${from} ${to} ${kind}`,
    source: from,
    target: to,
    sourceHandle: kind,
    type: 'smoothstep',
    markerEnd: { type: MarkerType.ArrowClosed },
    ...(label && { label }),
    ...(kind === 'passed' && { style: { strokeDasharray: '6 4' } }),
  }
}

/** The beginning of the quiz, large enough to read. */
function viewOf(nodes: readonly DrawnNode[]): { x: number; y: number; zoom: number } {
  const [first] = nodes
  return { x: 260 - (first?.position.x ?? 0), y: 24 - (first?.position.y ?? 0), zoom: 1 }
}
