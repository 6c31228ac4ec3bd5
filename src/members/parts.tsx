import { Unreachable } from '../ui/Unreachable.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Title } from '../ui/Title.tsx'
import type { Failure } from '../session/http.ts'
import { type Remote, wordsOf } from './client.ts'
import { SignIn } from './SignIn.tsx'
import { afterFailure } from './trouble.ts'

export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <p className="members-loading">
      <Spinner label={label} /> {label}…
    </p>
  )
}

/** Why an action failed, and what became of it. */
export function Failed({ failure }: { failure: Failure }) {
  return (
    <FailureNotice title={wordsOf(failure)} of={failure}>
      <p className="small">{afterFailure(failure)}</p>
    </FailureNotice>
  )
}

/** What is shown without an answer: loading, signed out, no access, no network. */
export function Waiting<T>({
  remote,
  onRetry,
}: {
  remote: Exclude<Remote<T>, { state: 'ready' }>
  onRetry: () => void
}) {
  if (remote.state === 'loading') return <Loading />
  if (remote.state === 'unreachable') return <Unreachable onRetry={onRetry} />
  if (remote.failure.code === 'sign_in_required') return <SignIn onDone={onRetry} />
  if (remote.failure.code === 'no_access') return <Closed />
  return <NotOpen failure={remote.failure} />
}

/** One thing that is refused; the programme itself may be open. */
export function NotOpen({ failure }: { failure: Failure }) {
  return (
    <div className="stack">
      <Title>This is not open</Title>
      <p>{wordsOf(failure)}</p>
      <ButtonLink href="/app/">Back to today</ButtonLink>
    </div>
  )
}

/** Signed in, but without a current grant: says what to do about it. */
function Closed() {
  return (
    <div className="stack">
      <Title>Your programme is closed</Title>
      <Notice tone="caution">
        <p>
          There is no open subscription on this account. If a payment failed, update how you pay and it opens again,
          with your progress.
        </p>
      </Notice>
      <ButtonLink href="/app/subscription">See my subscription</ButtonLink>
      <ButtonLink look="text" href="/app/">
        Back
      </ButtonLink>
    </div>
  )
}
