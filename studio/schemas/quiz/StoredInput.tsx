import { useState } from 'react'
import { useEditState, type StringInputProps } from 'sanity'
import { valueAt } from '../../check/finding.ts'
import { Locked } from './conditions.styles.ts'

/** A name under which answers are stored: locked while it is as visitors have it, unless an editor insists. */
export function StoredInput(props: StringInputProps) {
  const { value, path, readOnly, elementProps, renderDefault } = props
  const { published } = useEditState('quiz', 'quiz')
  const [isOpen, setOpen] = useState(false)
  const isLocked = !isOpen && readOnly !== true && !!value && valueAt(published, path) === value
  return (
    <div>
      {renderDefault({
        ...props,
        readOnly: readOnly === true || isLocked,
        elementProps: { ...elementProps, readOnly: readOnly === true || isLocked },
      })}
      {isLocked && (
        <Locked>
          Visitors have answered under this.{' '}
          <button type="button" onClick={() => setOpen(true)}>
            Change it anyway
          </button>
        </Locked>
      )}
    </div>
  )
}
