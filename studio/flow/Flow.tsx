import { lazy, Suspense, useMemo, useState } from 'react'
import type { UserViewComponent } from 'sanity/structure'
import { lastWeek, useNumbers } from '../numbers/useNumbers.ts'
import { List, Page } from './Flow.styles.ts'
import { type FlowGraph, flowGraph, type FlowNode } from './graph.ts'
import { StepWords } from './StepWords.tsx'

const Drawing = lazy(() => import('./Drawing.tsx'))

/** Where the quiz leads: steps, branches and conditions, as they are being edited, with last week's visitors. */
export const Flow: UserViewComponent = ({ document }) => {
  const [selection] = useState(lastWeek)
  const { view, trouble } = useNumbers('stepNumbers', selection)
  const displayed = document.displayed as Record<string, unknown> | null
  const graph = useMemo(() => flowGraph(displayed, view), [displayed, view])
  const [asList, setAsList] = useState(false)
  const wrong = graph.nodes.filter(({ problems }) => problems.length > 0).length
  return (
    <Page>
      <header>
        <span role="group" aria-label="Show as">
          <button type="button" aria-pressed={!asList} onClick={() => setAsList(false)}>
            Drawing
          </button>{' '}
          <button type="button" aria-pressed={asList} onClick={() => setAsList(true)}>
            List
          </button>
        </span>
        <p role="status">
          {trouble ?? 'Numbers: visitors of the last seven days; none where fewer than ten.'}
          {wrong > 0 && (
            <span className="problem"> Something is wrong at {wrong === 1 ? 'one step' : `${wrong} steps`}.</span>
          )}
        </p>
        {graph.problems.map((problem) => (
          <p key={problem} className="problem">
            {problem}
          </p>
        ))}
      </header>
      {asList ? (
        <AsList graph={graph} />
      ) : (
        <Suspense fallback={<p>Drawing…</p>}>
          <Drawing graph={graph} />
        </Suspense>
      )}
    </Page>
  )
}

/** The drawing in words. */
function AsList({ graph: { nodes, edges } }: { graph: FlowGraph }) {
  const named = (id: string): string => {
    const { number, title = id } = nodes.find((node) => node.id === id) ?? {}
    return number ? `${number}. ${title}` : title
  }
  const leads = ({ id }: FlowNode) =>
    edges
      .filter(({ from }) => from === id)
      .map(({ to, kind, visitors }) => {
        const how = kind === 'next' ? 'Leads to' : 'Others go on with'
        return `${how} ${named(to)}${visitors === undefined ? '' : ` (${visitors.toLocaleString('en')} visitors)`}.`
      })
  return (
    <List aria-label="The quiz as a list" role="list">
      {nodes
        .filter(({ number }) => number !== undefined)
        .map((node) => (
          <li key={node.id}>
            <StepWords node={node} />
            {leads(node).map((words) => (
              <p key={words}>{words}</p>
            ))}
          </li>
        ))}
    </List>
  )
}
