import { useEffect, useState, useSyncExternalStore } from 'react'
import { handoverCode, hasLinkCode, openByCode, takeLinkCode } from '../session/handover.ts'
import { sessionIdInPath } from '../session/id.ts'
import { pagePath } from '../session/page-session.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { isInAppBrowser, NO_SESSION_WORDS, REDIRECT_SECONDS, redirectTarget } from './redirect.ts'

const never = () => () => undefined
/** Where this page leads: null while rendering on the server, '' without a session id. */
function useTarget(): string | null {
  return useSyncExternalStore(
    never,
    () => {
      const sessionId = sessionIdInPath(location.pathname)
      return sessionId ? redirectTarget(sessionId, location.search) : ''
    },
    () => null,
  )
}

/** A link of a mail or of another browser opens its session here first, once; then the countdown goes on. */
function useArrival(): 'none' | 'opening' | 'expired' {
  const [state, setState] = useState<'none' | 'opening' | 'expired'>('none')
  useEffect(() => {
    const code = takeLinkCode()
    if (!code) return
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the address is only known in the browser
    setState('opening')
    void openByCode(code).then((outcome) => {
      if (outcome.ok) location.replace(pagePath(outcome.data.nextPage, outcome.data.sessionId))
      else setState('expired')
    })
  }, [])
  return state
}

/** C-17: a 3-second countdown to the checkout; in Facebook's and Instagram's browsers a meta-refresh and a link to tap. */
export function Redirect() {
  const arrival = useArrival()
  const target = useTarget()
  const [left, setLeft] = useState(REDIRECT_SECONDS)

  useEffect(() => {
    if (!target || arrival !== 'none' || hasLinkCode()) return
    const query = new URLSearchParams(location.search)
    const fbclid = query.get('fbclid')
    const step = query.get('step')
    if (fbclid) local.set(KEYS.redirectFbclid, fbclid)
    if (step) local.set(KEYS.redirectStep, step)
    // another app's browser takes the address of this page along: with a code in it, it opens the session there
    const sessionId = sessionIdInPath(location.pathname)
    if (sessionId && isInAppBrowser(navigator.userAgent)) {
      void handoverCode(sessionId).then((made) => {
        if (made) history.replaceState(history.state, '', `${location.pathname}${location.search}#handover=${made}`)
      })
    }
    if (isInAppBrowser(navigator.userAgent)) {
      // script navigations are held back there; the document's own refresh is not
      const meta = document.createElement('meta')
      meta.httpEquiv = 'refresh'
      meta.content = `${REDIRECT_SECONDS};url=${target}`
      document.head.append(meta)
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
  }, [target, arrival])

  if (arrival === 'opening') {
    return (
      <div className="step centered" role="status">
        <h1>Opening where you left off</h1>
      </div>
    )
  }
  if (arrival === 'expired') {
    return (
      <div className="step">
        <h1>This link does not work any more</h1>
        <Notice tone="danger" title="It was used already, or it is too old." live="assertive">
          <p>Nothing is lost. If you have paid, sign in or open the link in your order mail.</p>
        </Notice>
        <ButtonLink href="/checkout">Go on in this browser</ButtonLink>
        <ButtonLink look="text" href="/app/">
          Sign in
        </ButtonLink>
      </div>
    )
  }

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
    </div>
  )
}
