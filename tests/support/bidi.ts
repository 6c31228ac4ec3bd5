/** Sends a command of WebDriver BiDi and resolves to its result; rejects with the browser's own words. */
export type Bidi = <T = unknown>(method: string, params: object) => Promise<T>

interface Answer {
  id: number
  result?: unknown
  error?: string
  message?: string
}

/** Connects to a browser that speaks WebDriver BiDi at this address; rejects when none answers there. */
export async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address)
  await new Promise<void>((open, refuse) => {
    socket.addEventListener('open', () => open(), { once: true })
    socket.addEventListener('error', () => refuse(new Error(`no browser at ${address}`)), { once: true })
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  socket.addEventListener('close', () => {
    for (const [id, tell] of waiting) tell({ id, error: 'closed', message: 'the browser is gone' })
    waiting.clear()
  })
  let last = 0
  return async <T>(method: string, params: object) => {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<Answer>()
    waiting.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    const { error, message, result } = await promise
    if (error) throw new Error(`${method}: ${error}: ${message}`)
    return result as T
  }
}
