import { set, useFormValue, type StringInputProps } from 'sanity'
import { words } from '../check/finding.ts'
import { addressFrom } from './address.ts'
import { Proposal } from './AddressInput.styles.ts'

/** Of what an address is made: the field with the words, and what stands before them. */
export interface AddressOptions {
  from: string
  before: string
}

/** An address that is typed, or made of the words of another field. */
export function AddressInput(props: StringInputProps) {
  const { value, onChange, readOnly, renderDefault, schemaType } = props
  const { from, before } = schemaType.options as unknown as AddressOptions
  const made = addressFrom(words(useFormValue([from])))
  return (
    <div>
      {renderDefault(props)}
      {!value && made !== '' && readOnly !== true && (
        <Proposal>
          <button type="button" onClick={() => onChange(set(before + made))}>
            Use {before + made}
          </button>
        </Proposal>
      )}
    </div>
  )
}
