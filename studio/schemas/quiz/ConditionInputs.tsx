import { set, unset, useFormValue, type ArrayOfPrimitivesInputProps, type Path, type StringInputProps } from 'sanity'
import { questionOf } from '../../check/condition-words.ts'
import { objects, words } from '../../check/finding.ts'
import { Choices, Select } from './conditions.styles.ts'

/** The steps above the one that a field of a condition belongs to, with their numbers. */
function useEarlier(path: Path): { number: number; step: Record<string, unknown> }[] {
  const steps = objects(useFormValue(['steps']))
  const own = (path[1] as { _key?: string } | undefined)?._key
  const index = steps.findIndex((step) => step['_key'] === own)
  return steps.map((step, place) => ({ number: place + 1, step })).slice(0, Math.max(0, index))
}

/** The question of a condition: one of those above the step, by title. Stores its storage key. */
export function QuestionInput({ value = '', onChange, readOnly, elementProps, path }: StringInputProps) {
  const questions = useEarlier(path).filter(({ step }) => step['_type'] === 'questionStep' && words(step['storageKey']))
  const known = questions.some(({ step }) => step['storageKey'] === value)
  return (
    <Select
      {...elementProps}
      value={value}
      disabled={readOnly === true}
      onChange={(event) => onChange(event.currentTarget.value === '' ? unset() : set(event.currentTarget.value))}
    >
      <option value="">Choose a question</option>
      {value !== '' && !known && <option value={value}>{value} (not a question above this step)</option>}
      {questions.map(({ number, step }) => (
        <option key={number} value={words(step['storageKey'])}>
          {number}. {words(step['title']) || 'No title yet'}
        </option>
      ))}
    </Select>
  )
}

/** The answers of a condition: options of its question, by label. Stores their values. */
export function AnswersInput({ value, onChange, readOnly, path }: ArrayOfPrimitivesInputProps) {
  const chosen = (value ?? []).map(String)
  const asked = words(useFormValue([...path.slice(0, -1), 'asked']))
  const question = questionOf(objects(useFormValue(['steps'])), asked)
  const options = objects(question?.['options']).map((option) => ({
    value: words(option['value']),
    label: words(option['label']),
  }))
  const gone = chosen.filter((one) => !options.some((option) => option.value === one))
  // in the order of the options, whatever the order of the clicks
  const toggle = (one: string): void => {
    const wanted = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]
    onChange(set([...options.map((option) => option.value), ...gone].filter((each) => wanted.includes(each))))
  }
  if (!question && chosen.length === 0) return <p>Choose the question first.</p>
  return (
    <Choices>
      {[...options, ...gone.map((one) => ({ value: one, label: `${one} (no longer an answer)` }))].map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            disabled={readOnly === true}
            onChange={() => toggle(option.value)}
          />
          {option.label || option.value}
        </label>
      ))}
    </Choices>
  )
}
