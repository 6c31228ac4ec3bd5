import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { OpenLinkResponse } from '../../contract/api.ts'
import { mayStoreHere } from '../session/attribution.ts'
import { bringAnswers } from '../session/brought-answers.ts'
import { openByCode, takeLinkCode } from '../session/handover.ts'
import { call } from '../session/client.ts'
import { isTemporary } from '../session/http.ts'
import * as KEYS from '../session/keys.ts'
import { handoverCode } from '../session/new-links.ts'
import { pagePath } from '../session/page-session.ts'
import { local } from '../session/storage.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Title } from '../ui/Title.tsx'
import { AddressAnew, BegunElsewhere } from './BegunElsewhere.tsx'
import { isInAppBrowser, NO_SESSION_WORDS, REDIRECT_SECONDS, redirectSession, redirectTarget } from './redirect.ts'
import { Unreachable } from '../ui/Unreachable.tsx'

const never = () => () => undefined
/** Whether this address carries a code. */
const hasLinkCode = (): boolean => /^#(handover|resume)=/.test(location.hash)
/** Where this page leads: null while rendering on the server, '' without a session id. */
function useTarget(): string | null {
  return useSyncExternalStore(
    never,
    () => {
      const sessionId = redirectSession(location.pathname, location.search)
      if (!sessionId) return ''
      return isOfReading() ? `/summary/${sessionId}` : redirectTarget(sessionId, location.search)
    },
    () => null,
  )
}

/** Whether the address came with a code that opens a session here; null while rendering on the server. */
let came: boolean | undefined
function useBrought(): boolean | null {
  return useSyncExternalStore(
    never,
    () => (came ??= hasLinkCode()),
    () => null,
  )
}

/** whether the link is of a paid reading, which is where it leads then. */
const isOfReading = (): boolean => new URLSearchParams(location.search).get('to') === 'summary'

async function goOn({ sessionId, nextPage, over }: OpenLinkResponse): Promise<void> {
  await bringAnswers(sessionId, over)
  if (isOfReading()) return location.replace(`/summary/${sessionId}`)
  location.replace(nextPage === 'checkout' ? redirectTarget(sessionId, location.search) : pagePath(nextPage, sessionId))
}

/** C-17, C-02: /redirect leads to the checkout; with a code, it first opens the code's session in this browser. */
export function Redirect() {
  const target = useTarget()
  const brought = useBrought()
  const [held, setHeld] = useState<boolean | null>(null)
  useEffect(() => {
    if (!brought) return
    void heldHere().then((sessionId) => {
      if (sessionId) takeLinkCode()
      if (sessionId && isOfReading()) location.replace(`/summary/${sessionId}`)
      else setHeld(sessionId !== null)
    })
  }, [brought])
  // a mailed link names no visit: there is nothing to find out first
  if (brought && (held === false || target === '')) return <OpenHere />
  if (brought && held === null) return <Wait />
  return <Countdown ready={brought === false || held === true} />
}

/**
 * The visit that the address names, if this browser is in it, as an in-app browser is that reloads its page: then no
 * code is needed, and the one in the address may be of any visit. Else null.
 */
async function heldHere(): Promise<string | null> {
  const sessionId = redirectSession(location.pathname, location.search)
  return sessionId && (await call('session', { path: { sessionId } })).ok ? sessionId : null
}

/**
 * D-01: a visit that began in another browser. It is never opened without asking: until this browser gives its own
 * address or pays, the person who began the visit could read what is typed here.
 */
function OpenHere() {
  const [wanted, setWanted] = useState(false)
  return wanted ? <Opening /> : <BegunElsewhere onContinue={() => setWanted(true)} />
}

/** A link from a mail, or a session handed over by another browser: opened once, then on to its next page. */
function Opening() {
  const [state, setState] = useState<'opening' | 'over' | 'unreachable'>('opening')
  const [unproved, setUnproved] = useState<OpenLinkResponse | null>(null)
  const [attempt, setAttempt] = useState(0)
  const secret = useRef<string | null>(null)
  useEffect(() => {
    let gone = false
    // taken out of the address bar before anything else happens
    secret.current ??= takeLinkCode()
    void openByCode(secret.current ?? '').then((outcome) => {
      if (outcome.ok) {
        if (outcome.data.askEmail) setUnproved(outcome.data)
        else void goOn(outcome.data)
      } else if (!gone) setState(isTemporary(outcome) ? 'unreachable' : 'over')
    })
    return () => {
      gone = true
    }
  }, [attempt])

  if (unproved) return <AddressAnew sessionId={unproved.sessionId} onDone={() => void goOn(unproved)} />
  if (state === 'unreachable') {
    const again = (): void => {
      setState('opening')
      setAttempt(attempt + 1)
    }
    return <Unreachable onRetry={again} />
  }
  if (state === 'over') {
    return (
      <div className="step">
        <Title key="over" focus>
          This link has been used or has expired
        </Title>
        <Notice tone="info" title="Each link opens one browser, once." live="polite">
          <p>
            Nothing is lost. In the browser where you opened it first, your {isOfReading() ? 'reading' : 'plan'} is
            still open{isOfReading() && ', as it is in your account'}.
          </p>
        </Notice>
        {isOfReading() ? (
          <ButtonLink href="/app/">Sign in</ButtonLink>
        ) : (
          <ButtonLink href="/checkout">Go to my plan</ButtonLink>
        )}
        <ButtonLink look="text" href="/legal/contact-us">
          Contact us
        </ButtonLink>
      </div>
    )
  }
  return <Wait focus />
}

function Wait({ focus = false }: { focus?: boolean }) {
  const opening = isOfReading() ? 'Opening your reading' : 'Opening your plan'
  return (
    <div className="step centered">
      <Title focus={focus}>{opening}</Title>
      <p>
        <Spinner label={opening} />
      </p>
    </div>
  )
}

/**
 * A 3-second countdown to the checkout. Facebook's and Instagram's in-app browsers also get a meta-refresh and a link
 * to tap, and the address gets a hand-over code, so that “Open in browser” takes the session along.
 */
function Countdown({ ready }: { ready: boolean }) {
  const target = useTarget()
  const [left, setLeft] = useState(REDIRECT_SECONDS)
  const [inApp, setInApp] = useState(false)

  useEffect(() => {
    if (!target || !ready) return
    const query = new URLSearchParams(location.search)
    const fbclid = query.get('fbclid')
    const step = query.get('step')
    if (fbclid && mayStoreHere()) local.set(KEYS.redirectFbclid, fbclid)
    if (step) local.set(KEYS.redirectStep, step)
    if (isInAppBrowser(navigator.userAgent)) {
      // in-app browsers hold script navigations back, but not the document's own refresh
      const meta = document.createElement('meta')
      meta.httpEquiv = 'refresh'
      meta.content = `${REDIRECT_SECONDS};url=${target}`
      document.head.append(meta)
      void handOver().then((done) => setInApp(done))
    }
    const end = Date.now() + REDIRECT_SECONDS * 1_000
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1_000))
      setLeft(seconds)
      if (seconds > 0) return
      clearInterval(timer)
      location.replace(target)
    }, 250)
    return () => clearInterval(timer)
  }, [target, ready])

  if (target === '') {
    return (
      <div className="step">
        <h1>We do not know where to take you</h1>
        <Notice tone="danger" title={NO_SESSION_WORDS} live="assertive">
          <p>Nothing is lost. You can start from the beginning.</p>
        </Notice>
        <ButtonLink href="/">Go to the start</ButtonLink>
      </div>
    )
  }
  return (
    <div className="step centered">
      <h1>Taking you to your plan</h1>
      <p role="timer" aria-live="off">
        In <strong className="tabular">{left}</strong> {left === 1 ? 'second' : 'seconds'}
      </p>
      {target && <ButtonLink href={target}>Tap here to go on now</ButtonLink>}
      {inApp && (
        <p className="quiet">Does paying not work in this app? Choose “Open in browser” in its menu and go on there.</p>
      )}
    </div>
  )
}

/** Puts a hand-over code into the address if this browser holds the session; otherwise does nothing. */
async function handOver(): Promise<boolean> {
  const sessionId = redirectSession(location.pathname, location.search)
  if (!sessionId) return false
  const made = await handoverCode(sessionId)
  if (made) history.replaceState(history.state, '', `${location.pathname}${location.search}#handover=${made}`)
  return made !== null
}
