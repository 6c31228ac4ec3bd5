import { useEffect } from 'react'

/**
 * Keeps the screen on while `active`: the exercises are followed by eye, and nobody touches the phone for minutes. It
 * goes dark as ever where the browser cannot or will not (Safari before 16.4, a battery that is low).
 */
export function useAwake(active: boolean): void {
  useEffect(() => {
    if (!active) return
    let over = false
    let lock: WakeLockSentinel | undefined
    const take = async (): Promise<void> => {
      // the browser lets go of it whenever the page is hidden
      if (document.visibilityState === 'hidden') return
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
      if (over) void lock?.release()
    }
    const again = (): void => void take()
    again()
    document.addEventListener('visibilitychange', again)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [active])
}
