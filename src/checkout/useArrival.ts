import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { sessionIdInPath } from '../session/id.ts'
import { goOnAfresh, hasLocalAnswers, pagePath } from '../session/page-session.ts'
import { track } from './track.ts'
import type { usePageSession } from '../funnel/usePageSession.ts'

/**
 * C-01, C-02, C-16: sends a visitor of the checkout to the page they belong on. True when there is no session and the
 * service cannot be reached to make one.
 */
export function useArrival(page: ReturnType<typeof usePageSession>[0]): boolean {
  const [noSession, setNoSession] = useState(false)
  useEffect(() => {
    const over = page.state === 'ready' && page.session.over
    if (page.state === 'none' || over) {
      // C-01, P-14: local answers get a new session; without any, there is nothing to order
      if (!hasLocalAnswers()) location.replace('/quiz')
      else {
        void goOnAfresh(over ? page.session.sessionId : undefined).then((id) =>
          id ? location.replace(`/checkout/${id}${location.search}`) : setNoSession(true),
        )
      }
    } else if (page.state === 'ready') arrive(page.session)
  }, [page])
  return noSession
}

/** C-01, C-02, C-16: sends an opened session to the page it belongs on. */
function arrive(session: SessionView): void {
  const { sessionId } = session
  if (session.paymentStatus === 'paid') {
    const query = new URLSearchParams(location.search)
    // C-16: the flag alone proves nothing; the service has just confirmed the payment
    if (query.get('payment_success') === 'true') {
      void track(({ trackFirstPurchase }) => trackFirstPurchase(sessionId)).then(() =>
        location.replace(`/multi-upsell/${sessionId}`),
      )
    } else location.replace(pagePath(session.nextPage, sessionId))
  } else if (!sessionIdInPath(location.pathname)) {
    // /checkout and /checkout-summary show the current session's checkout under its own address
    history.replaceState(null, '', `/checkout/${sessionId}${location.search}`)
  }
}
