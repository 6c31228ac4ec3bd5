import type { CheckoutContent } from '../../../contract/content.ts'
import { useState } from 'react'

/**
 * C-08: the Day 1 preview in the browser's own player (which brings keyboard and screen reader support) with its
 * transcript.
 */
export function AudioPreview({ content }: { content: CheckoutContent }) {
  const [broken, setBroken] = useState(false)
  if (!content.audioUrl) return null
  return (
    <section className="checkout-section" aria-labelledby="audio-title">
      <h2 id="audio-title">{content.audioTitle}</h2>
      <p className="quiet">{content.audioText}</p>
      {broken ? (
        <p className="notice">The preview does not play here right now. The text below says the same.</p>
      ) : (
        <audio
          className="audio"
          controls
          preload="none"
          src={content.audioUrl}
          aria-label={content.audioTitle}
          onError={() => setBroken(true)}
        />
      )}
      {content.audioTranscript && (
        <details className="accordion">
          <summary>Read the preview</summary>
          <div className="accordion-body transcript">{content.audioTranscript}</div>
        </details>
      )}
    </section>
  )
}
