/**
 * Callers with the same key share work but never get an answer older than their question: a caller that comes during a
 * run waits for it and shares the one run after it.
 */
export interface SingleFlight {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

interface Flight {
  current: Promise<unknown>
  next: Promise<unknown> | undefined
}

export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  function start<T>(key: string, work: () => Promise<T>): Promise<T> {
    const current = work()
    const flight: Flight = { current, next: undefined }
    flights.set(key, flight)
    const land = () => {
      // unless a waiting run has replaced this flight by then
      if (flights.get(key) === flight && !flight.next) flights.delete(key)
    }
    current.then(land, land)
    return current
  }

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const flight = flights.get(key)
      if (!flight) return start(key, work)
      flight.next ??= flight.current.then(
        () => start(key, work),
        () => start(key, work),
      )
      return flight.next as Promise<T>
    },
  }
}
