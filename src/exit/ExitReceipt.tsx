import type { ExitReceived } from '../../contract/api.ts'
import type { ExitKind } from '../../contract/exit.ts'
import { Title } from '../ui/Title.tsx'
import { type Draft, factsOf, momentOf } from './exit-text.ts'
import { ExitFacts } from './ExitFacts.tsx'

/** The acknowledgement on screen: the same for every address. */
export function ExitReceipt({ draft, kind, received }: { draft: Draft; kind: ExitKind; received: ExitReceived }) {
  const { receivedAt, effectAt } = received
  const facts: [string, string][] = [...factsOf(draft), ['Received', momentOf(receivedAt)]]
  if (kind === 'withdraw') facts.push(['Processed from', momentOf(effectAt)])
  return (
    <div className="step">
      <Title focus>{kind === 'end' ? 'We have received your cancellation' : 'We have received your withdrawal'}</Title>
      <ExitFacts facts={facts} />
      <p>
        It counts from the moment we received it. We are sending this confirmation to{' '}
        <strong>{draft.email.trim()}</strong>, with a link to take it back.
      </p>
      <p className="quiet">
        No mail within a few minutes? Please look into the folder for junk mail, and check the address above: what was
        bought with another address stays as it is.
      </p>
    </div>
  )
}
