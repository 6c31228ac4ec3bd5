import type { HistoryAdapter } from '@sanity/visual-editing'

/**
 * Reports the page's address to the Studio, and goes where the Studio says. The quiz navigates by the History API,
 * other pages by loading, as they do for visitors.
 */
export function historyAdapter(): HistoryAdapter {
  return {
    subscribe(navigate) {
      const tell = (type: 'push' | 'replace' | 'pop'): void =>
        navigate({ type, title: document.title, url: location.pathname + location.search + location.hash })
      tell('replace')
      const { pushState, replaceState } = history
      history.pushState = function (...args) {
        pushState.apply(this, args)
        tell('push')
      }
      history.replaceState = function (...args) {
        replaceState.apply(this, args)
        tell('replace')
      }
      const popped = (): void => tell('pop')
      addEventListener('popstate', popped)
      return () => {
        Object.assign(history, { pushState, replaceState })
        removeEventListener('popstate', popped)
      }
    },
    update({ type, url }) {
      if (type === 'pop') history.back()
      else if (type === 'replace') location.replace(url)
      else location.assign(url)
    },
  }
}
