import type { ReactNode } from 'react'
import './accordion.css'

/** A question that opens to its answer. With the same `group`, only one is open at a time. */
export function Accordion(props: { title: string; children: ReactNode; group?: string; open?: boolean }) {
  return (
    <details className="accordion" name={props.group} open={props.open}>
      <summary>{props.title}</summary>
      <div className="accordion-body">{props.children}</div>
    </details>
  )
}
