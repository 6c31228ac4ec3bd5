import { useState, type ChangeEvent } from 'react'
import { set, unset, type NumberInputProps } from 'sanity'
import { Typed } from './conditions.styles.ts'

/** A length of time in seconds, as people say it; stores milliseconds. */
export function SecondsInput({ value, onChange, readOnly, elementProps }: NumberInputProps) {
  const [typed, setTyped] = useState<string>()
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    setTyped(currentTarget.value)
    const seconds = currentTarget.valueAsNumber
    onChange(Number.isNaN(seconds) ? unset() : set(Math.round(seconds * 1000)))
  }
  return (
    <Typed
      {...elementProps}
      type="number"
      min={0}
      step={0.1}
      value={typed ?? (value === undefined ? '' : value / 1000)}
      readOnly={readOnly === true}
      onChange={change}
      onBlur={(event) => {
        // while typing, “1.” stays what it is; afterwards it is what was stored, by others too
        setTyped(undefined)
        elementProps.onBlur(event)
      }}
    />
  )
}
