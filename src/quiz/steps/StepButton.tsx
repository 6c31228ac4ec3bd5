import { Button } from '../../ui/Button.tsx'

/** A screen's one main action, within reach of the thumb on phones. */
export function StepButton(props: {
  children: string
  onClick?: () => void
  disabled?: boolean
  submit?: boolean
  busy?: boolean
  /** Stays in sight on wide screens too (S-24). */
  floating?: boolean
}) {
  return (
    <div className="button-bar" data-floating={props.floating || undefined}>
      <Button
        {...(props.onClick ? { onClick: props.onClick } : {})}
        type={props.submit ? 'submit' : 'button'}
        disabled={props.disabled ?? false}
        busy={props.busy ?? false}
      >
        {props.children}
      </Button>
    </div>
  )
}
