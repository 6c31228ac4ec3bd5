import { useCallback, useEffect, useState } from 'react'
import { onReturn } from '../session/on-return.ts'
import { loadPageSession, type PageSession } from '../session/page-session.ts'

/**
 * The session of this page. Loading while rendering on the server and until the service answers; reloaded when the page
 * comes back from the browser's cache (Back after a payment).
 * The first function shows that it is loading; the second leaves the page as it is until it has the answer.
 */
export function usePageSession(): [PageSession | { state: 'loading' }, () => void, () => Promise<void>] {
  const [value, setValue] = useState<PageSession | { state: 'loading' }>({ state: 'loading' })
  const read = useCallback(() => loadPageSession().then(setValue), [])
  const load = useCallback(() => {
    setValue({ state: 'loading' })
    void read()
  }, [read])
  useEffect(() => {
    void read()
    return onReturn(() => void read())
  }, [read])
  return [value, load, read]
}
