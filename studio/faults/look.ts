import type { ValidationMarker } from 'sanity'
import { CheckmarkCircleIcon } from '@sanity/icons/CheckmarkCircle'
import { ErrorOutlineIcon } from '@sanity/icons/ErrorOutline'
import { RocketIcon } from '@sanity/icons/Rocket'

/**
 * How the button beside a document looks. What only a launch asks for is no fault of the document: until then every one
 * of the sample has some, and a warning that is always there hides the one that matters.
 */
export function lookOf(levels: readonly ValidationMarker['level'][]) {
  if (levels.includes('error')) return { title: 'What to put right', icon: ErrorOutlineIcon, tone: 'critical' as const }
  if (levels.includes('warning'))
    return { title: 'To do before the launch', icon: RocketIcon, tone: 'default' as const }
  return { title: 'Nothing to put right', icon: CheckmarkCircleIcon, tone: 'positive' as const }
}
