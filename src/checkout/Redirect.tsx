import { useEffect, useState, useSyncExternalStore } from 'react'
import { sessionIdInPath } from '../session/id.ts'
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

/** C-17: a 3-second countdown to the checkout; in Facebook's and Instagram's browsers a meta-refresh and a link to tap. */
export function Redirect() {
  const target = useTarget()
  const [left, setLeft] = useState(REDIRECT_SECONDS)

  useEffect(() => {
    if (!target) return
    const query = new URLSearchParams(location.search)
    const fbclid = query.get('fbclid')
    const step = query.get('step')
    if (fbclid) local.set(KEYS.redirectFbclid, fbclid)
    if (step) local.set(KEYS.redirectStep, step)
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
  }, [target])

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
