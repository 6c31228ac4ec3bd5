import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../session/http.ts'

/** What is wrong with each field of a form, in words that say what to do; from top to bottom. */
export type Faults<Field extends string> = { [field in Field]?: string | undefined }

type Key<Values> = keyof Values & string

/** What still holds of what the form said before `key` was edited, by what its rules say before and after. */
export function stillWrong<Field extends string>(
  said: Faults<Field>,
  key: Field,
  [before, after]: readonly [Faults<Field>, Faults<Field>],
): Faults<Field> {
  // what another field is said to be by the service or a bank is no rule's words: it stays until that field is edited
  const holds = (field: Field) => said[field] === after[field] || (field !== key && said[field] !== before[field])
  return Object.fromEntries(Object.entries(said).filter(([field]) => holds(field as Field))) as Faults<Field>
}

/** The faults of some fields, without those that have none. */
export function faultsAt<Field extends string>(faults: Faults<Field>, asked: (field: Field) => boolean): Faults<Field> {
  const there = Object.entries(faults).filter(([field, words]) => words && asked(field as Field))
  return Object.fromEntries(there) as Faults<Field>
}

/**
 * What was typed into a form, and what is wrong with it. A field that was typed into says so once it is left, every
 * field when the form is sent, and the first of these takes the focus. A fault goes as soon as it no longer holds.
 * `judge` names what is wrong; `Other` are fields of the form that hold no value here.
 */
export function useFields<Values extends object, Other extends string = never>(
  known: () => Values,
  judge: (values: Values) => Faults<Key<Values> | Other>,
) {
  type Field = Key<Values> | Other
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(known)
  const [faults, setFaults] = useState<Faults<Field>>({})
  const typed = useRef(values)
  const edited = useRef(new Set<Field>())
  const first = useRef<Field | undefined>(undefined)

  useEffect(() => {
    // by now the words are there that describe the field; a form that is not on the screen yet is waited for
    if (!first.current || !form.current) return
    form.current.querySelector<HTMLElement>(`[name="${first.current}"]`)?.focus()
    first.current = undefined
  })

  /** What is known without an edit. */
  const take = useCallback((some: Partial<Values>): void => {
    typed.current = { ...typed.current, ...some }
    setValues(typed.current)
  }, [])

  /** The handler of a field. */
  const set =
    <K extends Key<Values>>(key: K) =>
    (value: Values[K]): void => {
      const before = judge(typed.current)
      take({ [key]: value } as unknown as Partial<Values>)
      edited.current.add(key)
      const rules = [before, judge(typed.current)] as const
      setFaults((said) => stillWrong<Field>(said, key, rules))
    }

  /** The handler of leaving a field. One that nothing was typed into is asked for on submit. */
  const leave = (): void => {
    const found = faultsAt<Field>(judge(typed.current), (field) => edited.current.has(field))
    setFaults((said) => ({ ...said, ...found }))
  }

  /** Shows these faults at their fields and focuses the first one, which it returns. */
  function show(found: Faults<Field>): Field | undefined {
    setFaults(found)
    first.current = Object.keys(found).find((field) => found[field as Field]) as Field | undefined
    return first.current
  }

  return {
    form,
    values,
    faults,
    take,
    set,
    leave,
    show,
    clear: (field: Field): void => setFaults((said) => ({ ...said, [field]: undefined })),
    /** What the fields hold now, also after a wait: a handler's `values` are those of the press that called it. */
    now: (): Values => typed.current,
    /** The properties of a TextField. */
    field: <K extends Key<Values>>(key: K) => ({
      name: key,
      value: values[key],
      onChange: set(key),
      onBlur: leave,
      error: faults[key],
    }),
    /** On submit: what was typed; null, and each fault said at its field, where any of the `only` fields is wrong. */
    check(...only: readonly Field[]): Values | null {
      const asked = (field: Field): boolean => only.length === 0 || only.includes(field)
      return show(faultsAt<Field>(judge(typed.current), asked)) ? null : typed.current
    },
    /** Says at its field what the service refused; false where it named none of this form's. */
    refuse({ status, field, code, words }: Failure): boolean {
      if (status !== 422 || !field || !(field in typed.current)) return false
      // a body that breaks a rule is refused in words for programs
      show({ [field]: (code !== 'invalid_body' && words) || 'Please check this.' } as Faults<Field>)
      return true
    },
  }
}
