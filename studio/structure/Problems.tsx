import { useSchema } from 'sanity'
import { IntentLink } from 'sanity/router'
import type { Document } from '../check/finding.ts'
import { fullPlace, pathOf, type NamedType } from './place-names.ts'

interface Problem {
  documentId: string
  documentType: string
  /** In the Studio's notation; empty for the document itself. */
  path: string
  message: string
}

interface Props {
  problems: readonly Problem[]
  documents: readonly Document[]
  /** The release in which it is put right; else the drafts. */
  release?: string
}

/** What is wrong and where, in an editor's words, each with a link to its field. */
export function Problems({ problems, documents, release }: Props) {
  const schema = useSchema()
  const into = release === undefined ? {} : { searchParams: [['perspective', release] as [string, string]] }
  return (
    <ul>
      {problems.map(({ documentId, documentType, path, message }) => {
        const document = documents.find(({ _id }) => _id === documentId)
        const place = { documentId, documentType, path: pathOf(path) }
        return (
          <li key={`${documentId} ${path} ${message}`}>
            {documentId && (
              <IntentLink
                intent="edit"
                params={{ id: documentId, type: documentType, ...(path ? { path } : {}) }}
                {...into}
              >
                {fullPlace(place, document, schema.get(documentType) as NamedType | undefined)}
              </IntentLink>
            )}
            <p>{message}</p>
          </li>
        )
      })}
    </ul>
  )
}
