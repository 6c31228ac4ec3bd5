import { useEffect, useState } from 'react'

const DURATION_MS = 1100

/**
 * A number that counts up once to its value, or shows it at once under reduced motion. Screen readers get it in words.
 */
export function useCountUp(target: number, from: number): number {
  const [value, setValue] = useState(() => (matchMedia('(prefers-reduced-motion: reduce)').matches ? target : from))
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const start = performance.now()
    let frame = requestAnimationFrame(function draw(now) {
      const share = Math.min(1, Math.max(0, (now - start) / DURATION_MS))
      setValue(from + (target - from) * (1 - (1 - share) ** 3))
      if (share < 1) frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [target, from])
  return value
}
