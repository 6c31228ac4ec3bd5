import { useState } from 'react'
import { Accordion } from '../ui/Accordion.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Title } from '../ui/Title.tsx'
import { useRemote } from './client.ts'
import { Nav } from './Nav.tsx'
import { Waiting } from './parts.tsx'
import { Player } from './Player.tsx'
import { Steps } from './Steps.tsx'

/** one session: five minutes of sound, the exercises as drawings, and the text of both. */
export default function Day({ day }: { day: string }) {
  const [session, { reload }] = useRemote('programmeDay', { day: day || '0' })
  const [progress, setProgress] = useState<{ heard: number; counted: boolean } | null>(null)
  if (session.state !== 'ready') return <Waiting remote={session} onRetry={reload} />
  const { data } = session
  const heard = progress?.heard ?? data.heard
  const listened = progress?.counted ?? data.listened
  return (
    <div className="step">
      <Nav />
      <p className="quiet">
        Day {data.day} · Week {data.week}
      </p>
      <Title>{data.title}</Title>
      <p>{data.intro}</p>
      {data.audioUrl ? (
        <Player
          day={data.day}
          src={data.audioUrl}
          title={data.title}
          seconds={data.audioSeconds}
          onHeard={(share, counted) => setProgress({ heard: share, counted })}
        />
      ) : (
        <Notice>
          <p>There is no recording of this session yet. The exercises below are complete without it.</p>
        </Notice>
      )}
      {data.audioUrl && (
        <p className="small quiet" role="status">
          {listened ? '✓ Listened' : heard > 0 ? `${Math.round(heard * 100)}% heard` : 'Not heard yet'}
          {data.sample && ' · Sample voice, made by a computer'}
        </p>
      )}
      {!data.listened && progress?.counted && (
        <Notice tone="good" title="Well done." live="polite">
          <p>
            That was day {data.day}. <a href="/app/">See what comes next</a>.
          </p>
        </Notice>
      )}
      <Steps steps={data.steps} />
      {data.transcript && (
        <Accordion title="Read what is spoken">
          <div className="transcript">{data.transcript}</div>
        </Accordion>
      )}
      <p className="quiet small">
        Stop when something hurts. These exercises are for comfort and are no medical treatment.
      </p>
      <ButtonLink look="text" href="/app/">
        Back to today
      </ButtonLink>
    </div>
  )
}
