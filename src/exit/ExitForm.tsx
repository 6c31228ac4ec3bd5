import { useEffect, useId, type FormEvent, type ReactNode } from 'react'
import { CONTRACT_WORDS, EXIT_CONTRACTS, EXIT_KINDS, type ExitWords } from '../../contract/exit.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError } from '../ui/FieldError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Title } from '../ui/Title.tsx'
import type { useFields } from '../ui/useFields.ts'
import '../ui/option.css'
import type { Draft } from './exit-text.ts'

const MEANING = {
  end: 'No further charge. What you have paid for stays open to its end.',
  withdraw: 'Within 14 days of the purchase, where the law gives you this right: your money comes back.',
}

interface Props {
  fields: ReturnType<typeof useFields<Draft>>
  words: ExitWords
  focus: boolean
  onDone: () => void
}

/** The statement: what, from whom, about which contract. */
export function ExitForm({ fields, words, focus, onDone }: Props) {
  const { form, values, faults, set, field, check } = fields
  useEffect(() => {
    // not in the built page: until the script has come the browser itself says what is missing, and the form stays
    form.current?.setAttribute('novalidate', '')
  }, [form])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (check()) onDone()
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
        chosen={values.kind}
        labelOf={(kind) => <span lang={words.lang}>{words[kind].open}</span>}
        meaningOf={(kind) => MEANING[kind]}
        error={faults.kind}
        onChoose={set('kind')}
      />
      {values.kind === 'withdraw' && (
        <Choice
          legend="From which contract?"
          name="contract"
          all={EXIT_CONTRACTS}
          chosen={values.contract}
          labelOf={(contract) => CONTRACT_WORDS[contract]}
          onChoose={set('contract')}
        />
      )}
      <TextField {...field('name')} label="Your name" autoComplete="name" required />
      <TextField
        {...field('email')}
        label="Email address of the purchase"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
      />
      <TextField {...field('reason')} label="Reason (optional)" autoComplete="off" />
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
    <fieldset
      className="field exit-choice"
      role="radiogroup"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
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
