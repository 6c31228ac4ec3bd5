import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { api, type CreateSessionRequest } from '../../contract/api.ts'
import { alone, CREATE_SESSION_PATH, ensureSession, LOCK_WAIT_MS, type BootstrapWorld } from './bootstrap.ts'
import { isSessionId, newUuid, sessionIdInPath, storedSessionId } from './id.ts'
import { KEYS, type Store } from './storage.ts'

function memoryStore(entries: Record<string, string> = {}): Store {
  const map = new Map(Object.entries(entries))
  return {
    get: (key) => map.get(key) ?? null,
    set: (key, value) => void map.set(key, value),
    remove: (key) => void map.delete(key),
  }
}

/** The service as D-03 describes it: the same client key, the same session. */
function service() {
  const byKey = new Map<string, string>()
  return {
    sessions: byKey,
    create: vi.fn(async ({ clientKey }: CreateSessionRequest) => {
      const sessionId = byKey.get(clientKey) ?? newUuid()
      byKey.set(clientKey, sessionId)
      return sessionId
    }),
  }
}

function world(over: Partial<BootstrapWorld> = {}): BootstrapWorld & { waits: number[] } {
  const waits: number[] = []
  return {
    store: memoryStore(),
    create: service().create,
    wait: async (ms) => void waits.push(ms),
    alone: (work) => work(),
    describe: () => ({}),
    waits,
    ...over,
  }
}

describe('the session of a browser', () => {
  test('D-01 a stored session is reused without a request', async () => {
    const id = newUuid()
    const { create } = service()
    expect(await ensureSession(world({ store: memoryStore({ [KEYS.sessionId]: id }), create }))).toBe(id)
    expect(create).not.toHaveBeenCalled()
  })

  test('D-01 Q-14 a corrupted session id is repaired, not used', async () => {
    const store = memoryStore({ [KEYS.sessionId]: '<script>' })
    expect(storedSessionId(store)).toBeNull()
    expect(store.get(KEYS.sessionId)).toBeNull()
    expect(isSessionId(await ensureSession(world({ store })))).toBe(true)
  })

  test('D-02 three attempts with waits of 1 s and 2 s, then the funnel goes on without a session', async () => {
    const create = vi.fn(async () => 'temporary' as const)
    const here = world({ create })
    expect(await ensureSession(here)).toBeNull()
    expect(create).toHaveBeenCalledTimes(3)
    expect(here.waits).toEqual([1_000, 2_000])
  })

  test('D-01 D-03 a client key whose session this browser no longer holds is dropped, once', async () => {
    const store = memoryStore({ [KEYS.clientKey]: '00000000-0000-4000-8000-000000000007' })
    const { create, sessions } = service()
    const keys: string[] = []
    const here = world({
      store,
      create: async (body) => {
        keys.push(body.clientKey)
        return keys.length === 1 ? 'taken' : create(body)
      },
    })
    expect(await ensureSession(here)).toBe([...sessions.values()][0])
    expect(keys).toHaveLength(2)
    expect(keys[1]).not.toBe(keys[0])
    expect(store.get(KEYS.clientKey)).toBe(keys[1])
    expect(here.waits).toEqual([])

    const always = vi.fn(async () => 'taken' as const)
    expect(await ensureSession(world({ create: always }))).toBeNull()
    expect(always).toHaveBeenCalledTimes(2)
  })

  test('D-02 a later attempt that succeeds ends the waiting and keeps the client key', async () => {
    const { create, sessions } = service()
    let calls = 0
    const keys: string[] = []
    const here = world({
      create: async (body) => {
        keys.push(body.clientKey)
        return ++calls < 3 ? 'temporary' : create(body)
      },
    })
    expect(isSessionId(await ensureSession(here))).toBe(true)
    expect(new Set(keys).size).toBe(1)
    expect(sessions.size).toBe(1)
  })

  test('D-02 a refusal is not repeated', async () => {
    const create = vi.fn(async () => 'refused' as const)
    expect(await ensureSession(world({ create }))).toBeNull()
    expect(create).toHaveBeenCalledTimes(1)
  })

  test('D-03 twenty tabs at once end in one session, with a lock in storage only', async () => {
    vi.stubGlobal('navigator', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const { create, sessions } = service()
    const store = memoryStore()
    const ids = await Promise.all(
      Array.from({ length: 20 }, () =>
        ensureSession(world({ store, create, alone: (work) => alone(memoryStore(), work) })),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    expect(sessions.size).toBe(1)
  })

  test('D-03 a tab that holds the lock and is starved before it has a key makes no second session', async () => {
    const { create, sessions } = service()
    const store = memoryStore()
    const open = () => ensureSession(world({ store, create, alone: (work) => alone(store, work) }))
    let wake = (): void => undefined
    const starved = navigator.locks.request(KEYS.creationLock, () => new Promise<void>((done) => (wake = done)))
    const others = [open(), open(), open()]
    await new Promise((done) => setTimeout(done, LOCK_WAIT_MS + 100))
    expect(sessions.size).toBe(0)
    wake()
    await starved
    expect(new Set(await Promise.all(others)).size).toBe(1)
    expect(sessions.size).toBe(1)
  })

  test('D-03 a tab whose creation hangs is waited for 500 ms: the next one goes on with its key', async () => {
    const { create, sessions } = service()
    const store = memoryStore()
    store.set(KEYS.clientKey, newUuid())
    let wake = (): void => undefined
    const hanging = navigator.locks.request(KEYS.creationLock, () => new Promise<void>((done) => (wake = done)))
    const from = performance.now()
    await ensureSession(world({ store, create, alone: (work) => alone(store, work) }))
    expect(LOCK_WAIT_MS).toBe(500)
    expect(performance.now() - from).toBeGreaterThan(450)
    expect(sessions.size).toBe(1)
    wake()
    await hanging
  })

  test('D-03 the id that another tab stored in the meantime is taken', async () => {
    const store = memoryStore()
    const theirs = newUuid()
    const { create } = service()
    const id = await ensureSession(
      world({
        store,
        create,
        alone: (work) => {
          store.set(KEYS.sessionId, theirs)
          return work()
        },
      }),
    )
    expect(id).toBe(theirs)
    expect(create).not.toHaveBeenCalled()
  })

  test('D-03 the path of the bootstrap is the path of the contract', () => {
    expect(CREATE_SESSION_PATH).toBe(api.createSession.path)
  })

  test('C-02 the session id is read from the path and nothing else', () => {
    const id = newUuid()
    expect(sessionIdInPath(`/checkout/${id.toUpperCase()}`)).toBe(id)
    expect(sessionIdInPath('/checkout/')).toBeNull()
    expect(sessionIdInPath('/checkout/1;drop')).toBeNull()
  })
})
