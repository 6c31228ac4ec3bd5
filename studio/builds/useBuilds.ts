import { useEffect, useState } from 'react'
import { useClient } from 'sanity'
import type { BuildChange, BuildsView } from '../../contract/builds.ts'
import { Untold } from '../sign-in.ts'
import { askBuilds } from './ask.ts'

/** What is published elsewhere meanwhile is seen this much later. */
const LOOK_MS = 5_000

export interface Builds {
  view?: BuildsView
  /** Why there is none, or why a change failed. */
  trouble?: string
  /** What the last change did. */
  done?: string
  busy: boolean
  change(what: BuildChange, words: string, build?: string): Promise<void>
}

const wordsOf = (error: unknown): string =>
  error instanceof Untold ? error.message : 'The builds cannot be read right now.'

/** The list, kept up while it is looked at. */
export function useBuilds(): Builds {
  const client = useClient({ apiVersion: '2026-03-01' })
  const [view, setView] = useState<BuildsView>()
  const [unread, setUnread] = useState<string>()
  const [failed, setFailed] = useState<string>()
  const [done, setDone] = useState<string>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let current = true
    const look = (): void => {
      if (document.visibilityState === 'hidden') return
      askBuilds(client).then(
        (found) => {
          if (!current) return
          setView(found)
          setUnread(undefined)
        },
        (error: unknown) => current && setUnread(wordsOf(error)),
      )
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [client])

  const change: Builds['change'] = async (what, words, build) => {
    setBusy(true)
    setFailed(undefined)
    setDone(undefined)
    try {
      const found = await askBuilds(client, what, build)
      setView(found)
      setDone(words)
    } catch (error) {
      setFailed(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const trouble = failed ?? unread
  return { ...(view && { view }), ...(trouble && { trouble }), ...(done && { done }), busy, change }
}
