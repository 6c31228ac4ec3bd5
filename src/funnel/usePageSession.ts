import { useCallback, useEffect, useState } from 'react'
import { onReturn } from '../session/on-return.ts'
import { loadPageSession, type PageSession } from '../session/page-session.ts'

/**
 * The session of this page. Loading while rendering on the server and until the service answers; reloaded when the page
 * comes back from the browser's cache (Back after a payment).
 */
export function usePageSession(): [PageSession | { state: 'loading' }, () => void] {
  const [value, setValue] = useState<PageSession | { state: 'loading' }>({ state: 'loading' })
  const load = useCallback(() => {
    setValue({ state: 'loading' })
    void loadPageSession().then(setValue)
  }, [])
  useEffect(() => {
    const read = (): void => void loadPageSession().then(setValue)
    read()
    return onReturn(read)
  }, [])
  return [value, load]
}
