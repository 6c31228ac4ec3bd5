import type { DocumentInspector, DocumentInspectorProps, ValidationMarker } from 'sanity'
import { DocumentInspectorHeader, useDocumentPane } from 'sanity/structure'
import { pathText, type Path } from '../check/finding.ts'
import { crumbs, type NamedType } from '../structure/place-names.ts'
import { List } from './Faults.styles.ts'
import { lookOf } from './look.ts'

/**
 * In the place of the Studio's own list of faults, which names a step “Question”: each with its step, entry and field,
 * what stops publishing first and open, what only a launch asks for below it.
 */
function Faults({ onClose }: DocumentInspectorProps) {
  const { validation, value, schemaType, onPathOpen, onFocus } = useDocumentPane()
  const { title } = lookOf(validation.map(({ level }) => level))
  const open = (path: ValidationMarker['path']) => {
    onPathOpen(path)
    onFocus(path)
  }
  const rows = (level: ValidationMarker['level']) =>
    validation.filter((marker) => marker.level === level).map((marker) => ({ marker, open: () => open(marker.path) }))
  const [errors, warnings, notes] = [rows('error'), rows('warning'), rows('info')]
  const list = (entries: typeof errors) => (
    <ul>
      {entries.map(({ marker, open: openIt }) => (
        <li key={`${pathText(marker.path as Path)} ${marker.message}`} data-level={marker.level}>
          <button type="button" onClick={openIt}>
            <b>{crumbs(marker.path as Path, value, schemaType as NamedType).join(' / ') || 'The whole document'}</b>
            {marker.message}
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <DocumentInspectorHeader as="header" closeButtonLabel="Close" flex="none" onClose={onClose} title={title} />
      <List data-faults>
        <h3>{errors.length === 0 ? 'Nothing stops you from publishing.' : `Before you publish (${errors.length})`}</h3>
        {list(errors)}
        {notes.length > 0 && <h3>To know</h3>}
        {list(notes)}
        {warnings.length > 0 && (
          <details>
            <summary>
              Before the site is launched ({warnings.length}); “Before launch” lists them for all documents
            </summary>
            {list(warnings)}
          </details>
        )}
      </List>
    </>
  )
}

function useMenuItem() {
  const { validation } = useDocumentPane()
  return {
    hidden: validation.length === 0,
    showAsAction: true,
    ...lookOf(validation.map(({ level }) => level)),
  }
}

/** Under the name of the Studio's own, so that everything that opens that one opens this. */
const NAME = 'sanity/structure/validation'

export const inspectors = (all: DocumentInspector[]): DocumentInspector[] =>
  all.map((one) => (one.name === NAME ? { name: NAME, component: Faults, useMenuItem } : one))
