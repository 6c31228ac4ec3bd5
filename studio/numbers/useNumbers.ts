import { useEffect, useState } from 'react'
import { useClient, type SanityClient } from 'sanity'
import { Untold } from '../sign-in.ts'
import { askNumbers, type Reports, type Selection } from './ask.ts'

export interface Numbers<View> {
  view?: View
  /** Why there is none. */
  trouble?: string
  loading: boolean
}

const FRESH_MS = 60_000
const asked = new Map<string, { at: number; answer: Promise<unknown> }>()

/** Every step of a list asks for the same: one request a minute answers them all. */
function numbersOf<N extends keyof Reports>(
  client: SanityClient,
  report: N,
  selection: Selection,
): Promise<Reports[N]> {
  const key = `${report} ${JSON.stringify(selection)}`
  const known = asked.get(key)
  if (known && Date.now() - known.at < FRESH_MS) return known.answer as Promise<Reports[N]>
  const answer = askNumbers(client, report, selection)
  asked.set(key, { at: Date.now(), answer })
  answer.catch(() => asked.delete(key))
  return answer
}

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Everybody's last seven days. */
export const lastWeek = (): Selection => ({
  from: day(6),
  to: day(0),
  revision: '',
  source: '',
  device: '',
  language: '',
})

/** The last answer stays while the next one is asked for. */
export function useNumbers<N extends keyof Reports>(report: N, selection: Selection): Numbers<Reports[N]> {
  const client = useClient({ apiVersion: '2026-03-01' })
  const [numbers, setNumbers] = useState<Numbers<Reports[N]> & { of?: string }>({ loading: true })
  const key = JSON.stringify(selection)
  useEffect(() => {
    let current = true
    numbersOf(client, report, JSON.parse(key) as Selection).then(
      (view) => current && setNumbers({ view, loading: false, of: key }),
      (error: unknown) =>
        current &&
        setNumbers({
          trouble: error instanceof Untold ? error.message : 'The numbers cannot be read right now.',
          loading: false,
          of: key,
        }),
    )
    return () => {
      current = false
    }
  }, [client, report, key])
  return numbers.of === key ? numbers : { ...numbers, loading: true }
}
