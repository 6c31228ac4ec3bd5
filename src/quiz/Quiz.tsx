import { startTransition, useEffect, useLayoutEffect, useState, type ComponentType, type SyntheticEvent } from 'react'
import type { QuizStep } from '../../contract/content.ts'
import * as KEYS from '../session/keys.ts'
import { Late } from '../ui/Late.tsx'
import { Progress } from '../ui/Progress.tsx'
import { useReload } from '../ui/useReload.ts'
import { createQuiz, type Quiz as QuizStore } from './quiz.store.ts'
import { progressOf, type Place } from './quiz.ts'
import type { VisitorQuiz } from './quiz-state.ts'
import type { StepProps } from './step-view.ts'
import { fetchAhead, fetchViews, views } from './steps.ts'
import { StepButton } from './steps/StepButton.tsx'
import { stepsMove } from './steps/StepTitle.tsx'
import { Welcome } from './steps/Welcome.tsx'
import { beginVisit, browserWorld, markStep } from './world.ts'

interface Props {
  content: VisitorQuiz
  brandName: string
  healthConsentRegions: string[]
  healthConsentText: string
}

/** The quiz: Welcome as it came from the server, then whatever the address says. */
export function Quiz(props: Props) {
  const [quiz, setQuiz] = useState<QuizStore>()
  const [place, setPlace] = useState<Place>('Welcome')
  const { content, brandName, healthConsentRegions } = props

  useLayoutEffect(() => {
    const created = createQuiz(content, browserWorld)
    history.scrollRestoration = 'manual'
    created.show()
    markStep()
    // The server knows no address: the screen is chosen here, before the paint.
    // eslint-disable-next-line react-hooks/set-state-in-effect -- see above
    setQuiz(created)
    setPlace(created.$place.get())
    const stop = created.$place.listen(() => {
      markStep()
      // where the quiz is by then: Back may have come in between, and was drawn at once
      const draw = (): void => startTransition(() => setPlace(created.$place.get()))
      // paint the tap first; the next screen follows after that frame, in small pieces
      if (window.event?.type === 'click') requestAnimationFrame(() => setTimeout(draw))
      else draw()
    })
    delete document.documentElement.dataset.later
    const cameBack = (event: PageTransitionEvent): void => {
      if (event.persisted) created.cameBack()
    }
    const elsewhere = (event: StorageEvent): void => {
      if (event.key === KEYS.answers) created.refresh()
    }
    addEventListener('popstate', created.show)
    addEventListener('storage', elsewhere)
    addEventListener('pagehide', created.keepPending)
    addEventListener('pageshow', cameBack)
    const idle = setTimeout(() => {
      void beginVisit(healthConsentRegions).then((consent) => created.$consent.set(consent))
      fetchAhead()
    }, 1)
    return () => {
      clearTimeout(idle)
      stop()
      removeEventListener('popstate', created.show)
      removeEventListener('storage', elsewhere)
      removeEventListener('pagehide', created.keepPending)
      removeEventListener('pageshow', cameBack)
    }
  }, [content, healthConsentRegions])

  const step = place === 'Welcome' ? undefined : content.steps[place - 1]
  const title = step?.title ?? content.seo.title

  // before the new screen is painted, or it would jump
  useLayoutEffect(() => {
    if (!quiz) return
    document.title = `${title} · ${brandName}`
    scrollTo(0, 0)
    stepsMove()
  }, [quiz, place, title, brandName])

  if (!quiz || place === 'Welcome' || !step) {
    return <Welcome welcome={content.welcome} consentText={props.healthConsentText} quiz={quiz} />
  }
  const { current, total, percent } = progressOf(content.steps, place, quiz.stretch(place))
  return (
    <>
      <div className="quiz-progress">
        <button type="button" className="quiz-back" aria-label="Back" onClick={quiz.back}>
          <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2.4" aria-hidden="true">
            <path d="M12.5 4l-6 6 6 6" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </button>
        <Progress value={current} max={total} label="Progress" valueText={`Step ${current} of ${total}`} />
        <span className="tabular quiz-count" aria-hidden="true">
          {current}/{total}
          {percent !== null && ` · ${percent}%`}
        </span>
      </div>
      <Late key={place} gone={<StepGone />}>
        <Step quiz={quiz} step={step} place={place} />
      </Late>
    </>
  )
}

function Step({ quiz, step, place }: { quiz: QuizStore; step: QuizStep; place: number }) {
  const [failure, setFailure] = useState<unknown>()
  const [, redraw] = useState(0)
  const View = views[step.kind] as ComponentType<StepProps> | undefined

  // only when this screen's file is not here yet: a deep link, or a very slow network
  useEffect(() => {
    if (views[step.kind]) return
    fetchViews().then(() => redraw((count) => count + 1), setFailure)
  }, [step.kind])

  // for a moment the quiz is one step ahead of the screen: a tap on the old screen must not answer the new one
  const ignoreLate = (event: SyntheticEvent): void => {
    if (quiz.$place.get() === place) return
    event.preventDefault()
    event.stopPropagation()
  }

  if (View) {
    return (
      <div className="step" data-kind={step.kind} onClickCapture={ignoreLate}>
        <View quiz={quiz} step={step} />
      </div>
    )
  }
  // a separate element: if the screen were drawn into this one, screen readers would announce all its changes
  if (failure === undefined) return <div key="wait" className="step-wait" role="status" aria-label="Loading" />
  throw failure
}

/** The answers are in this browser and the step is in the address: loading the page again goes on here. */
function StepGone() {
  const { busy, reload } = useReload()
  return (
    <div className="step" role="alert">
      <h1>This page did not load</h1>
      <p className="step-text">Your answers are safe. Please check your connection and load the page again.</p>
      <StepButton busy={busy} onClick={reload}>
        Load the page again
      </StepButton>
    </div>
  )
}
