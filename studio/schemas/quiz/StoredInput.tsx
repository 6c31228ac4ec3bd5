import { useState } from 'react'
import { useEditState, type Path, type StringInputProps } from 'sanity'
import { isObject, objects } from '../../check/finding.ts'
import { Locked } from './conditions.styles.ts'

/** What stands at a place of the published quiz. */
function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (typeof part === 'string') return isObject(inner) ? inner[part] : undefined
    if (typeof part === 'object' && '_key' in part) return objects(inner).find(({ _key }) => _key === part._key)
    return undefined
  }, value)
}

/** A name under which answers are stored: locked while it is as visitors have it, unless an editor insists. */
export function StoredInput(props: StringInputProps) {
  const { value, path, readOnly, elementProps, renderDefault } = props
  const { published } = useEditState('quiz', 'quiz')
  const [isOpen, setOpen] = useState(false)
  const isLocked = !isOpen && readOnly !== true && !!value && at(published, path) === value
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
