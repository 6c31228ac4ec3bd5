/** Where the browser has it: Escape and, on Android, Back (html.spec.whatwg.org, "close requests"). */
declare class CloseWatcher {
  onclose: () => void
  destroy(): void
}

/**
 * Calls back on each Escape, and on each Back that the browser takes for one; whoever is called may refuse as often as
 * it is pressed. Returns the function that ends it.
 */
export function onCloseRequest(ask: () => void): () => void {
  if (!('CloseWatcher' in window)) {
    // one that ends a composition, or puts Firefox's list of suggestions away, is no request
    const press = ({ key, isComposing, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !isComposing && !defaultPrevented) ask()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }
  let watcher: CloseWatcher
  const watch = (): void => {
    watcher = new CloseWatcher()
    watcher.onclose = () => {
      watch()
      ask()
    }
  }
  watch()
  return () => watcher.destroy()
}
