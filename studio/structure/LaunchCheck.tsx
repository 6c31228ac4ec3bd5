import { useEffect, useState } from 'react'
import { useClient, useSchema } from 'sanity'
import { IntentLink } from 'sanity/router'
import { pathText, type Document, type Finding } from '../check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../check/rules.ts'
import { launchList } from './launch-list.ts'
import { placeNames } from './place-names.ts'
import { Pane } from './LaunchCheck.styles.ts'

type State =
  | { kind: 'loading' }
  | { kind: 'failed'; reason: string }
  | { kind: 'ready'; findings: Finding[]; names: ReadonlyMap<Finding, string> }

/** What still has to be replaced or proved, over all published documents; the same rules as `npm run content:check`. */
export function LaunchCheck() {
  const client = useClient({ apiVersion: '2026-03-01' })
  const schema = useSchema()
  const [state, setState] = useState<State>({ kind: 'loading' })

  useEffect(() => {
    let current = true
    const read = () =>
      client
        .withConfig({ perspective: 'published' })
        .fetch<Document[]>(CONTENT_QUERY)
        .then(
          (documents) => {
            if (!current) return
            const findings = checkDataset(documents)
            const names = placeNames(findings, documents, (type) => schema.get(type)?.title ?? type)
            setState({ kind: 'ready', findings, names })
          },
          (error: unknown) =>
            current && setState({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
        )
    void read()
    // a publish anywhere changes the list
    const changes = client
      .listen('*[!(_id in path("drafts.**"))]', {}, { includeResult: false, visibility: 'query' })
      .subscribe({ next: () => void read(), error: () => undefined })
    return () => {
      current = false
      changes.unsubscribe()
    }
  }, [client, schema])

  if (state.kind === 'loading') return <Pane role="status">Reading all documents…</Pane>
  if (state.kind === 'failed') return <Pane role="alert">The documents could not be read: {state.reason}</Pane>

  const parts = launchList(state.findings)
  if (parts.length === 0) return <Pane role="status">Everything is your own and proved. Ready for launch.</Pane>
  return (
    <Pane>
      {parts.map((part) => (
        <Group key={part.title} {...part} names={state.names} />
      ))}
    </Pane>
  )
}

interface GroupProps {
  title: string
  findings: readonly Finding[]
  names: ReadonlyMap<Finding, string>
  brief: boolean
}

function Group({ title, findings, names, brief }: GroupProps) {
  return (
    <section>
      <h2>
        {title} ({findings.length})
      </h2>
      <ul className={brief ? 'brief' : undefined}>
        {findings.map((finding) => {
          const { documentId, documentType, path, message } = finding
          return (
            <li key={`${documentId} ${pathText(path)} ${message}`}>
              <IntentLink
                intent="edit"
                params={{ id: documentId, type: documentType, ...(path.length > 0 ? { path: pathText(path) } : {}) }}
              >
                {names.get(finding)}
              </IntentLink>
              {!brief && <p>{message}</p>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
