import type { DocumentActionComponent, DocumentActionsContext, NewDocumentOptionsContext, TemplateItem } from 'sanity'
import { PROGRAMME_TYPES, SINGLETONS } from '../check/rules.ts'

/** Types whose documents have fixed places: they are neither made, copied nor deleted from menus. */
const FIXED = new Set<string>([...SINGLETONS, ...PROGRAMME_TYPES])
const ACTIONS = new Set(['publish', 'discardChanges', 'discardVersion', 'restore'])

export function documentActions(actions: DocumentActionComponent[], { schemaType }: DocumentActionsContext) {
  return FIXED.has(schemaType) ? actions.filter(({ action }) => action !== undefined && ACTIONS.has(action)) : actions
}

export function newDocumentOptions(options: TemplateItem[], _context: NewDocumentOptionsContext) {
  return options.filter(({ templateId }) => !FIXED.has(templateId))
}
