import { atom } from 'nanostores'
import type { QuizContent } from '../../../contract/content.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField } from '../../ui/CheckField.tsx'
import type { AgeGroup } from '../../../contract/ages.ts'
import type { Consent } from '../quiz-state.ts'
import type { Quiz } from '../quiz.store.ts'
import { useAtom } from '../useAtom.ts'
import { StepTitle } from './StepTitle.tsx'

interface Props {
  welcome: QuizContent['welcome']
  consentText: string
  /** Missing on the server and until the page is hydrated: meanwhile the plain form leads to step 1. */
  quiz: Quiz | undefined
}

// the values on the server
const noAge = atom<AgeGroup | undefined>(undefined)
const nothing = atom<number | undefined>(undefined)
const notAsked = atom<Consent>('not_asked')

/** S-00. Works before any script: "Start Quiz" is a form that opens step 1; before-paint.js fills in the age group. */
export function Welcome({ welcome, consentText, quiz }: Props) {
  const age = useAtom(quiz?.$age ?? noAge)
  const resumable = useAtom(quiz?.$resumable ?? nothing)
  const consent = useAtom(quiz?.$consent ?? notAsked)
  return (
    <div className="welcome">
      <WelcomeEye />
      <StepTitle>{welcome.title}</StepTitle>
      <p className="step-text" data-age-text={welcome.text} suppressHydrationWarning>
        {age ? welcome.text.replaceAll('{ageGroup}', age) : welcome.textWithoutAge}
      </p>
      {resumable && <p className="welcome-back">{welcome.resumeText}</p>}
      {consent !== 'not_asked' && quiz && (
        <div className="welcome-consent">
          <CheckField name="health_consent" checked={consent === 'given'} onChange={quiz.setConsent}>
            {consentText}
          </CheckField>
          <p role="status">
            {consent === 'withdrawn' && 'You took your consent back. We erase your answers; this browser keeps them.'}
          </p>
        </div>
      )}
      {resumable && quiz ? (
        <div className="button-bar stack">
          <Button onClick={quiz.resume}>{welcome.resumeButton}</Button>
          <Button look="quiet" onClick={quiz.restart}>
            {welcome.restartButton}
          </Button>
        </div>
      ) : (
        <form
          action="/quiz"
          className="button-bar"
          onSubmit={(event) => {
            if (!quiz) return
            event.preventDefault()
            quiz.start()
          }}
        >
          <input type="hidden" name="step" value="1" />
          <input type="hidden" name="age" data-age-value="" disabled suppressHydrationWarning />
          <Button type="submit">{welcome.button}</Button>
        </form>
      )}
    </div>
  )
}

function WelcomeEye() {
  return (
    <svg className="welcome-eye" viewBox="0 0 240 132" fill="none" aria-hidden="true">
      <g stroke="#FFB454" strokeWidth="5" strokeLinecap="round">
        <path d="M120 6v14M66 18l7 12M174 18l-7 12M28 44l11 9M212 44l-11 9" />
      </g>
      <path d="M20 86c26-34 62-52 100-52s74 18 100 52c-26 30-62 44-100 44S46 116 20 86Z" fill="#EAF2FF" />
      <circle cx="120" cy="84" r="40" fill="#1A75FF" />
      <circle cx="120" cy="84" r="27" stroke="#8FBDFF" strokeWidth="22" strokeDasharray="1 3.2" opacity=".75" />
      <circle cx="120" cy="84" r="18" fill="#0B1B33" />
      <circle cx="133" cy="70" r="8" fill="#fff" />
      <path d="M20 86c26-34 62-52 100-52s74 18 100 52" stroke="#0B1B33" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}
