import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { TextField } from './TextField.tsx'
import { useFields } from './useFields.ts'

/** Why nothing came of what was sent; `typed`: because of what was typed, so it is said at the field. */
export interface Refusal {
  words: string
  typed: boolean
}

export interface OneFieldProps {
  field: Pick<ComponentProps<typeof TextField>, 'label' | 'name' | 'type' | 'inputMode' | 'autoComplete' | 'hint'>
  /** What it holds before anything is typed. */
  known?: string
  /** What is wrong with what was typed, or nothing. */
  judge: (text: string) => string | undefined
  /** Called with what was typed once nothing is wrong with it; resolves to what went wrong, or null. */
  send: (text: string) => Promise<Refusal | null>
  button: string
  look?: 'primary' | 'quiet'
  /** Other ways to go on. */
  children?: ReactNode
}

/** A form that asks for one thing and does one thing with it. */
export function OneFieldForm({ field, known = '', judge, send, button, look = 'primary', children }: OneFieldProps) {
  const { name } = field
  const fields = useFields<Record<string, string>>(
    () => ({ [name]: known }),
    ({ [name]: text = '' }) => ({ [name]: judge(text) }),
  )
  const { form } = fields
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const given = busy ? null : fields.check()
    if (!given) return
    setBusy(true)
    setFailure(null)
    const refusal = await send((given[name] ?? '').trim())
    setBusy(false)
    if (refusal?.typed) fields.show({ [name]: refusal.words })
    else setFailure(refusal?.words ?? null)
  }

  return (
    <form className="stack" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField {...field} {...fields.field(name)} value={fields.values[name] ?? ''} required />
      {failure && <FailureNotice title={failure} />}
      <Button type="submit" look={look} busy={busy}>
        {button}
      </Button>
      {children}
    </form>
  )
}
