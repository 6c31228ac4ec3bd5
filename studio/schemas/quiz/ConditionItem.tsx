import { useFormValue, type ObjectItemProps } from 'sanity'
import { conditionWords, leafWords } from '../../check/condition-words.ts'
import { objects } from '../../check/finding.ts'
import { Words } from './conditions.styles.ts'

/** A row of a condition with its meaning in words: “*Symptoms* contains *Dry eyes*”. */
export function ConditionItem(props: ObjectItemProps) {
  const steps = objects(useFormValue(['steps']))
  const row = props.value as Record<string, unknown>
  const spoken = row['_type'] === 'conditionGroup' ? conditionWords(row, steps) : leafWords(row, steps)
  return (
    <div>
      {props.renderDefault(props)}
      <Words>{spoken ? <Emphasised text={spoken} /> : 'Not finished'}</Words>
    </div>
  )
}

/** Words between asterisks are titles and labels. */
export function Emphasised({ text }: { text: string }) {
  return text.split('*').map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part))
}
