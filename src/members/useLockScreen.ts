import { useEffect, type RefObject } from 'react'

/** Names what plays on a locked phone's screen, a watch or a headset, whose keys go back and ahead as the page's do. */
export function useLockScreen(
  audio: RefObject<HTMLAudioElement | null>,
  what: { title: string; day: number; skip: number },
): void {
  const { title, day, skip } = what
  useEffect(() => {
    // the browsers inside of apps have none
    if ('mediaSession' in navigator) {
      const session = navigator.mediaSession
      const by = (seconds: number) => () => {
        if (audio.current) audio.current.currentTime += seconds
      }
      session.metadata = new MediaMetadata({
        title,
        artist: `Day ${day}`,
        artwork: [{ src: '/icon-512.png', sizes: '512x512', type: 'image/png' }],
      })
      session.setActionHandler('seekbackward', by(-skip))
      session.setActionHandler('seekforward', by(skip))
      return () => {
        session.metadata = null
        session.setActionHandler('seekbackward', null)
        session.setActionHandler('seekforward', null)
      }
    }
    return undefined
  }, [audio, title, day, skip])
}
