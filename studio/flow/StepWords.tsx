import { IntentLink } from 'sanity/router'
import { Emphasised } from '../schemas/quiz/ConditionItem.tsx'
import type { FlowNode } from './graph.ts'

/** A step in words: its title opens it, then when it is shown, who came last week, and what is wrong. */
export function StepWords({ node, onFocus }: { node: FlowNode; onFocus?: () => void }) {
  const { number, path, title, shownWhen, problems, entered, left } = node
  return (
    <>
      {path === undefined ? (
        <b>{title}</b>
      ) : (
        <IntentLink intent="edit" params={{ id: 'quiz', type: 'quiz', path }} onFocus={onFocus}>
          {number === 0 ? title : `${number}. ${title}`}
        </IntentLink>
      )}
      {shownWhen !== undefined && (
        <p>
          Shown when <Emphasised text={shownWhen} />
        </p>
      )}
      {entered !== undefined && (
        <p>
          {entered.toLocaleString('en')} entered, {(left ?? 0).toLocaleString('en')} left
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} className="problem">
          {problem}
        </p>
      ))}
    </>
  )
}
