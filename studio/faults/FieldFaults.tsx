import type { FieldProps } from 'sanity'
import { Beside } from './Faults.styles.ts'

/** A field of any form with what is wrong with it in words below it; the Studio's own mark says so only to a mouse. */
export function FieldFaults(props: FieldProps) {
  const told = props.validation.filter(({ level }) => level !== 'info')
  // the same elements with and without faults: an input that is mounted anew loses the caret
  return (
    <div>
      {props.renderDefault(props)}
      {told.length > 0 && (
        <Beside>
          {told.map(({ level, message }) => (
            <li key={message} data-level={level}>
              {message}
            </li>
          ))}
        </Beside>
      )}
    </div>
  )
}
