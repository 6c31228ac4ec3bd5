import { useFormValue, type ObjectItemProps } from 'sanity'
import { styled } from 'styled-components'

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

/** A step in the list of steps, with the number that visitors see in the address and the progress bar. */
export function StepItem(props: ObjectItemProps) {
  const steps = useFormValue(['steps'])
  const key = (props.value as { _key?: string })._key
  const index = Array.isArray(steps) ? steps.findIndex((step: { _key?: string }) => step._key === key) : props.index
  return (
    <Row>
      <span aria-label={`Step ${index + 1}`}>{index + 1}</span>
      <div>{props.renderDefault(props)}</div>
    </Row>
  )
}
