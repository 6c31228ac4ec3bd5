import { defineField } from 'sanity'
import { line } from '../fields.ts'
import { LeadsToInput } from './LeadsToInput.tsx'

/** Every kind of step begins with its title and ends with where it leads. */
// the publish check says of which step it is missing
export const title = line('title', 'Title', 'The question or heading of this step.', { max: 140, optional: true })
export const button = line('button', 'Button', 'What the button says.', { max: 40, initialValue: 'Continue' })
export const next = defineField({
  name: 'next',
  title: 'Leads to',
  description: 'Where visitors go from here. A step that is chosen stays the one, however steps are moved.',
  type: 'string',
  components: { input: LeadsToInput },
  validation: (rule) =>
    rule.regex(/^(\d+|#.+|\/[a-z].*)$/).error('Choose a step, the step below, or an address such as /checkout.'),
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
  select: { title: 'title', subtitle: subtitle ?? 'title' },
  prepare: (selection: Record<string, string | undefined>) => ({
    title: selection['title'] ?? 'No title yet',
    subtitle: [kind, subtitle ? selection['subtitle'] : undefined].filter(Boolean).join(' · '),
  }),
})
