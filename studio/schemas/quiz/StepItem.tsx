import { useFormValue, type ObjectItemProps } from 'sanity'
import { styled } from 'styled-components'
import { conditionWords } from '../../check/condition-words.ts'
import { objects, words } from '../../check/finding.ts'
import { targetWords } from '../../check/target-words.ts'
import { withFreshKey } from '../../check/storage-keys.ts'
import { Emphasised } from './ConditionItem.tsx'
import { Words } from './conditions.styles.ts'

const Row = styled.div`
  display: grid;
  grid-template-columns: 2.2em 1fr;
  align-items: center;

  > span {
    text-align: right;
    padding-right: 8px;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
    color: var(--card-muted-fg-color);
  }
`

/** A step in the list of steps, with the number that visitors see in the address, and its condition in words. */
export function StepItem(props: ObjectItemProps) {
  const steps = objects(useFormValue(['steps']))
  const step = props.value as Record<string, unknown>
  const index = steps.findIndex((one) => one['_key'] === step['_key'])
  const target = targetWords(words(step['next']), index, steps)
  const condition = conditionWords(step['showIf'], steps)
  // a copy of a question would overwrite the answers of the first
  const insert: ObjectItemProps['onInsert'] = (event) =>
    props.onInsert({ ...event, items: event.items.map((item) => withFreshKey(item, steps)) })
  return (
    <Row>
      <span aria-label={`Step ${index + 1}`}>{index + 1}</span>
      <div>
        {props.renderDefault({ ...props, onInsert: insert })}
        {target && <Words>Leads to {target}</Words>}
        {condition && (
          <Words>
            Shown when <Emphasised text={condition} />
          </Words>
        )}
      </div>
    </Row>
  )
}
