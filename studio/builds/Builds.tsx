import { Fragment, useState } from 'react'
import { useSchema } from 'sanity'
import { IntentLink } from 'sanity/router'
import type { BuildsView, BuildView, Difference } from '../../contract/builds.ts'
import { Pane } from '../structure/LaunchCheck.styles.ts'
import { Buttons, List, Trouble } from './Builds.styles.ts'
import { useBuilds, type Builds as Asked } from './useBuilds.ts'

const moment = (iso: string): string => new Date(iso).toLocaleString()

/** Every build that is kept: what changed, who made it live, and the way back to it. */
export function Builds() {
  const asked = useBuilds()
  const { view, trouble, done } = asked
  return (
    <Pane>
      {trouble !== undefined && <Trouble role="alert">{trouble}</Trouble>}
      {done !== undefined && <p role="status">{done}</p>}
      {!view && trouble === undefined && <p role="status">Reading…</p>}
      {view && (
        <>
          <Now view={view} asked={asked} />
          <List aria-label="Builds, the newest first">
            {view.builds.map((build) => (
              <Row key={build.name} build={build} asked={asked} />
            ))}
          </List>
        </>
      )}
    </Pane>
  )
}

/** What visitors see, and whether it follows what is published. */
function Now({ view: { builds, pin }, asked: { busy, change } }: { view: BuildsView; asked: Asked }) {
  const live = builds.find(({ state }) => state === 'live')
  const shown = live?.built ? `the build of ${moment(live.built)}` : 'a build of unknown age'
  return (
    <>
      <h2>Visitors see {shown}</h2>
      <p>
        {pin
          ? `Held since ${moment(pin.since)} by ${pin.by}: what is published is checked and built, and waits.`
          : 'It is replaced as soon as something is published.'}
      </p>
      <Buttons>
        {pin ? (
          <button
            type="button"
            disabled={busy}
            onClick={() => void change('unpin', 'The site shows the newest publish, and follows from now on')}
          >
            Follow what is published again
          </button>
        ) : (
          <button
            type="button"
            disabled={busy}
            onClick={() => void change('pin', 'The site stays as it is; what is published waits')}
          >
            Hold the site as it is
          </button>
        )}
      </Buttons>
    </>
  )
}

const STATES: Readonly<Record<BuildView['state'], string>> = {
  live: 'Visitors see this',
  kept: '',
  broken: 'Broken: parts of it are missing',
  gone: 'Gone: no longer kept',
}
const SHOWN = 4

/** What changed, as a way to it; pictures and files, which no form shows, are words alone. */
function Changed({ difference: { words, document } }: { difference: Difference }) {
  const schema = useSchema()
  if (!document || document.type.startsWith('sanity.') || !schema.get(document.type)) return words
  return (
    <IntentLink intent="edit" params={document}>
      {words}
    </IntentLink>
  )
}

function Row({ build, asked: { busy, change } }: { build: BuildView; asked: Asked }) {
  const [sure, setSure] = useState(false)
  const { name, built, state, changed, last } = build
  const title = built ? moment(built) : name
  const more = changed.length - SHOWN
  const back = (): void => {
    setSure(false)
    void change('rollback', `Visitors see the build of ${title}, and it stays`, name)
  }
  return (
    <li data-build={name}>
      <div>
        <b>{title}</b> {STATES[state] && <span data-state={state}>{STATES[state]}</span>}
        <p>
          {changed.slice(0, SHOWN).map((one, at) => (
            <Fragment key={one.words}>
              {at > 0 && ', '}
              <Changed difference={one} />
            </Fragment>
          ))}
          {changed.length === 0 && state !== 'gone' && 'Nothing says what changed'}
          {more > 0 && `, and ${more} more`}
        </p>
        <p>{last ? `${last.what}, ${moment(last.at)}, by ${last.who}` : 'Never shown to visitors'}</p>
      </div>
      {state === 'kept' && (
        <Buttons>
          {sure ? (
            <>
              <button type="button" disabled={busy} onClick={back}>
                Go back now; what is published waits
              </button>
              <button type="button" onClick={() => setSure(false)}>
                Cancel
              </button>
            </>
          ) : (
            <button
              type="button"
              disabled={busy}
              aria-label={`Go back to this: ${title}`}
              onClick={() => setSure(true)}
            >
              Go back to this
            </button>
          )}
        </Buttons>
      )}
    </li>
  )
}
