import { defineField } from 'sanity'
import { line } from '../fields.ts'

/** Every kind of step begins with its title and ends with where it leads. */
// the publish check says of which step it is missing
export const title = line('title', 'Title', 'The question or heading of this step.', { max: 140, optional: true })
export const button = line('button', 'Button', 'What the button says.', { max: 40, initialValue: 'Continue' })
export const next = defineField({
  name: 'next',
  title: 'Leads to',
  description:
    'Leave empty to go on with the step below this one: then you can drag steps freely. Else the number of a ' +
    'step, or an address such as /checkout.',
  type: 'string',
  validation: (rule) =>
    rule.regex(/^(\d+|\/[a-z].*)$/).error('A step number, an address such as /checkout, or nothing.'),
})
export const showIf = defineField({
  name: 'showIf',
  title: 'Shown when',
  description:
    'Only visitors whose answers fit are shown this step; for the others the quiz goes on with the step below it. ' +
    'Empty: everybody.',
  type: 'stepCondition',
  options: { collapsible: true, collapsed: true },
})
export const preview = (kind: string, subtitle?: string) => ({
  select: { title: 'title', subtitle: subtitle ?? 'title', next: 'next' },
  prepare: (selection: Record<string, string | undefined>) => ({
    title: selection['title'] ?? 'No title yet',
    subtitle: [
      kind,
      subtitle ? selection['subtitle'] : undefined,
      selection['next'] ? `leads to ${selection['next']}` : undefined,
    ]
      .filter(Boolean)
      .join(' · '),
  }),
})
