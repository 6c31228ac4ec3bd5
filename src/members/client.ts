import { useCallback, useEffect, useState } from 'react'
import { pathOf } from '../../contract/api.ts'
import { membersApi, type RequestOf, type ResponseOf } from '../../contract/members.ts'
import type { Settings } from '../../contract/content.ts'
import { request, type Failure, type Outcome, type RequestOptions } from '../session/http.ts'
import { onReturn } from '../session/on-return.ts'

export type MembersSettings = Pick<Settings, 'productName' | 'contactEmail' | 'company'>

type Name = keyof typeof membersApi
export type Answer<N extends Name> = ResponseOf<N>

export interface Options<N extends Name> extends RequestOptions {
  path?: Readonly<Record<string, string>>
  body?: RequestOf<N>
}

/** Calls one endpoint of contract/members.ts. Never throws; see Outcome. */
export function ask<N extends Name>(name: N, options: Options<N> = {}): Promise<Outcome<Answer<N>>> {
  const { method, path } = membersApi[name]
  return request(method, pathOf(path, options.path), options.body, options)
}

export type Remote<T> =
  { state: 'loading' } | { state: 'ready'; data: T } | { state: 'refused'; failure: Failure } | { state: 'unreachable' }

const SIGNED_OUT: Failure = {
  ok: false,
  kind: 'refused',
  status: 401,
  code: 'sign_in_required',
  words: null,
  field: null,
  requestId: null,
}

let standing: Promise<boolean> | undefined

/**
 * Whether a member is signed in here; a yes is kept for the life of the page. Also true when the service does not
 * answer: the next request will report what is wrong.
 */
function isSignedIn(): Promise<boolean> {
  standing ??= ask('standing').then((outcome) => {
    const signedIn = !outcome.ok || outcome.data.signedIn
    if (!signedIn) standing = undefined
    return signedIn
  })
  return standing
}

/**
 * A member's page first asks whether anyone is signed in: a refused request would log an error in the console of every
 * signed-out visitor.
 */
async function askAsMember<N extends Name>(name: N, options: Options<N>): Promise<Outcome<Answer<N>>> {
  const open = membersApi[name].method !== 'GET'
  return open || (await isSignedIn()) ? ask(name, options) : SIGNED_OUT
}

/**
 * The service's answer, loading first; `set` replaces it with a newer one. Requested again when the page comes back
 * from the browser's cache.
 */
export function useRemote<N extends Name>(
  name: N,
  path?: Readonly<Record<string, string>>,
  body?: RequestOf<N>,
): [Remote<Answer<N>>, { reload: () => void; set: (data: Answer<N>) => void }] {
  const [remote, setRemote] = useState<Remote<Answer<N>>>({ state: 'loading' })
  const key = JSON.stringify({ path: path ?? {}, body })
  const load = useCallback(() => {
    void askAsMember(name, JSON.parse(key) as Options<N>).then((outcome) => {
      if (outcome.ok) setRemote({ state: 'ready', data: outcome.data })
      else if (outcome.kind === 'refused' && outcome.status < 500) setRemote({ state: 'refused', failure: outcome })
      else setRemote({ state: 'unreachable' })
    })
  }, [name, key])
  useEffect(() => {
    load()
    return onReturn(load)
  }, [load])
  return [
    remote,
    {
      reload: () => {
        setRemote({ state: 'loading' })
        load()
      },
      set: (data) => setRemote({ state: 'ready', data }),
    },
  ]
}

/** What a person reads about a failed call. */
export function wordsOf(failure: Failure): string {
  if (failure.kind === 'network' || failure.kind === 'timeout') {
    return 'We cannot reach our service. Nothing is lost: please check your connection and try again.'
  }
  return failure.words ?? 'Something went wrong on our side. Nothing was lost. Please try again.'
}
