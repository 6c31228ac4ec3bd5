import { useState } from 'react'

/**
 * Loads the page again once the site has answered: without a network the visitor would end on the browser's own error
 * page, and stays here instead.
 */
export function useReload(): { busy: boolean; reload: () => void } {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    reload() {
      setBusy(true)
      fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
        () => location.reload(),
        () => setBusy(false),
      )
    },
  }
}
