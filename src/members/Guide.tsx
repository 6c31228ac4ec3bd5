import { useMemo } from 'react'
import type { GuideContent } from '../../contract/members.ts'
import { richParts } from '../site/rich-text.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { GuideCover } from '../ui/GuideCover.tsx'
import { Title } from '../ui/Title.tsx'
import { useRemote } from './client.ts'
import { Nav } from './Nav.tsx'
import { NotOpen, Waiting } from './parts.tsx'

/** a guide that was bought, as a page to read. */
export default function Guide({ productId }: { productId: string }) {
  const [guide, { reload }] = useRemote('guide', { productId: productId || 'none' })
  // guides are bought one by one: a missing one says nothing about the programme
  if (guide.state === 'refused' && guide.failure.code === 'no_access') return <NotOpen failure={guide.failure} />
  if (guide.state !== 'ready') return <Waiting remote={guide} onRetry={reload} />
  return <GuideText guide={guide.data} productId={productId} />
}

function GuideText({ guide, productId }: { guide: GuideContent; productId: string }) {
  const parts = useMemo(() => richParts(guide.body), [guide.body])
  return (
    <article className="step">
      <Nav />
      <GuideCover emoji={guide.emoji} of={productId} large />
      <Title>{guide.title}</Title>
      <p className="guide-intro">{guide.intro}</p>
      <div className="guide-text">
        {parts.map((part, index) =>
          // the library escapes what editors write
          part.kind === 'text' ? (
            <div key={index} dangerouslySetInnerHTML={{ __html: part.html }} />
          ) : part.kind === 'pullQuote' ? (
            <figure key={index}>
              <blockquote>{part.text}</blockquote>
              {part.attribution && <figcaption className="small quiet">{part.attribution}</figcaption>}
            </figure>
          ) : null,
        )}
      </div>
      <ButtonLink look="text" href="/app/">
        Back to today
      </ButtonLink>
    </article>
  )
}
