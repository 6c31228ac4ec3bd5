import { useEffect, useId, useRef, type FormEvent, type ReactNode } from 'react'
import { CONTRACT_WORDS, EXIT_CONTRACTS, EXIT_KINDS, type ExitWords } from '../../contract/exit.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError } from '../ui/FieldError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Title } from '../ui/Title.tsx'
import '../ui/option.css'
import { type Draft, type Problems, problemsOf } from './exit-text.ts'

const MEANING = {
  end: 'No further charge. What you have paid for stays open to its end.',
  withdraw: 'Within 14 days of the purchase, where the law gives you this right: your money comes back.',
}

interface Props {
  draft: Draft
  problems: Problems
  words: ExitWords
  focus: boolean
  onChange: (changed: Partial<Draft>) => void
  onProblems: (problems: Problems) => void
  onDone: () => void
}

/** The statement: what, from whom, about which contract. */
export function ExitForm({ draft, problems, words, focus, onChange, onProblems, onDone }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // not in the built page: until the script has come the browser itself says what is missing, and the form stays
    if (form.current) form.current.noValidate = true
  }, [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    const found = problemsOf(draft)
    if (Object.keys(found).length === 0) return onDone()
    onProblems(found)
    const first = ['kind', 'name', 'email', 'reason'].find((field) => field in found)
    form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
  }

  return (
    // where no script runs the service shows the second step (payments-service/exit/plain.routes.ts)
    <form className="step" method="post" action="/api/exit/form" ref={form} onSubmit={submit} data-exit="">
      <Title focus={focus}>Cancel or withdraw</Title>
      <p className="quiet">No sign-in needed. You see everything once more before it is sent.</p>
      <Choice
        legend="What do you want?"
        name="kind"
        all={EXIT_KINDS}
        chosen={draft.kind}
        labelOf={(kind) => <span lang={words.lang}>{words[kind].open}</span>}
        meaningOf={(kind) => MEANING[kind]}
        error={problems.kind}
        onChoose={(kind) => onChange({ kind })}
      />
      {draft.kind === 'withdraw' && (
        <Choice
          legend="From which contract?"
          name="contract"
          all={EXIT_CONTRACTS}
          chosen={draft.contract}
          labelOf={(contract) => CONTRACT_WORDS[contract]}
          onChoose={(contract) => onChange({ contract })}
        />
      )}
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        error={problems.name}
        required
      />
      <TextField
        label="Email address of the purchase"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        value={draft.email}
        onChange={(email) => onChange({ email })}
        error={problems.email}
        required
      />
      <TextField
        label="Reason (optional)"
        name="reason"
        autoComplete="off"
        value={draft.reason}
        onChange={(reason) => onChange({ reason })}
        error={problems.reason}
      />
      <Button type="submit">Continue</Button>
    </form>
  )
}

interface ChoiceProps<T extends string> {
  legend: string
  name: string
  all: readonly T[]
  chosen: T | null
  labelOf: (one: T) => ReactNode
  meaningOf?: (one: T) => string
  error?: string | undefined
  onChoose: (one: T) => void
}

/** One of a few, each as large as an option of the quiz. */
function Choice<T extends string>(props: ChoiceProps<T>) {
  const { legend, name, all, chosen, labelOf, meaningOf, error, onChoose } = props
  const id = useId()
  return (
    <fieldset className="field exit-choice" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="field-label">{legend}</legend>
      <div className="options">
        {all.map((one) => (
          <label className="option" key={one}>
            <span className="option-text">
              {labelOf(one)}
              {meaningOf && <span className="option-description">{meaningOf(one)}</span>}
            </span>
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === chosen}
              onChange={() => onChoose(one)}
              required
            />
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}
