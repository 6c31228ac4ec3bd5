import { useEffect, useState } from 'react'
import { useClient, useFormValue, usePerspective, useSchema, type ObjectInputProps } from 'sanity'
import { IntentLink } from 'sanity/router'
import { listingsOf, pathText, publishedId, type Document } from '../check/finding.ts'
import { fullPlace, type NamedType } from '../structure/place-names.ts'
import { Listed } from './Listings.styles.ts'

/** Where an editor lists a document of a type. */
const WHERE: Readonly<Record<string, string>> = {
  testimonial: 'in a step of the quiz, the checkout or the add-ons',
  pressMention: 'in a step of the quiz',
}

/** The form of a document that no page shows by itself, below the lists in which it stands. */
export function Listings(props: ObjectInputProps) {
  const schema = useSchema()
  const id = publishedId({ _id: useFormValue(['_id']) as string, _type: props.schemaType.name })
  const documents = useReferring(id)
  const listings = listingsOf(id, documents ?? [])
  return (
    <div>
      {documents && (
        <Listed>
          {listings.length === 0 ? (
            <p data-nowhere>No page shows this yet. Add it to a list {WHERE[props.schemaType.name]}.</p>
          ) : (
            <>
              <p id={`${props.id}-listings`}>Shown where these list it:</p>
              <ul aria-labelledby={`${props.id}-listings`}>
                {listings.map(({ documentId, documentType, path }) => (
                  <li key={`${documentId} ${pathText(path)}`}>
                    <IntentLink intent="edit" params={{ id: documentId, type: documentType, path: pathText(path) }}>
                      {fullPlace(
                        { documentId, documentType, path },
                        documents.find((one) => publishedId(one) === documentId),
                        schema.get(documentType) as NamedType | undefined,
                      )}
                    </IntentLink>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Listed>
      )}
      {props.renderDefault(props)}
    </div>
  )
}

const REFERRING = '*[references($id)]'

/** The documents that refer to this one, as the chosen perspective has them; undefined while they are read. */
function useReferring(id: string): readonly Document[] | undefined {
  const client = useClient({ apiVersion: '2026-03-01' })
  const { perspectiveStack } = usePerspective()
  const [found, setFound] = useState<readonly Document[]>()
  // a new array with each render
  const perspective = perspectiveStack.join(' ')
  useEffect(() => {
    let current = true
    const read = (): void => {
      client
        .withConfig({ perspective: perspective.split(' ') })
        .fetch<Document[]>(REFERRING, { id })
        .then(
          (documents) => current && setFound(documents),
          () => undefined,
        )
    }
    read()
    const changes = client
      .listen(REFERRING, { id }, { includeResult: false, visibility: 'query' })
      .subscribe({ next: read, error: () => undefined })
    return () => {
      current = false
      changes.unsubscribe()
    }
  }, [client, perspective, id])
  return found
}
