import { useFormValue, type ObjectItemProps } from 'sanity'
import { styled } from 'styled-components'
import { conditionWords } from '../../check/condition-words.ts'
import { objects } from '../../check/finding.ts'
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
  const condition = conditionWords(step['showIf'], steps)
  return (
    <Row>
      <span aria-label={`Step ${index + 1}`}>{index + 1}</span>
      <div>
        {props.renderDefault(props)}
        {condition && (
          <Words>
            Shown when <Emphasised text={condition} />
          </Words>
        )}
      </div>
    </Row>
  )
}
