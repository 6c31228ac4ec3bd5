type Method = (this: unknown, ...args: unknown[]) => unknown

/** Runs a call of the SDK, known as `{resource}.{method}`. */
export type Around = <Result>(name: string, call: () => Promise<Result>) => Promise<Result>

/** The client, whose every call runs inside of `around`. */
export function aroundCalls<Client extends object>(client: Client, around: Around): Client {
  const watchResource = (name: string, resource: object) =>
    new Proxy(resource, {
      get(target, method, receiver) {
        const value: unknown = Reflect.get(target, method, receiver)
        if (typeof value !== 'function' || typeof method !== 'string') return value
        return (...args: unknown[]) =>
          around(`${name}.${method}`, async () => await (value as Method).apply(target, args))
      },
    })
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      // webhooks only computes signatures
      if (typeof value !== 'object' || value === null || typeof name !== 'string' || name === 'webhooks') return value
      return watchResource(name, value)
    },
  })
}

interface Answered {
  lastResponse?: { requestId?: string }
}

/** The id by which Stripe's dashboard finds a call, of its answer or of its error. */
export function requestIdOf(answer: unknown): string | undefined {
  const { lastResponse, requestId } = (answer ?? {}) as Answered & { requestId?: string }
  return lastResponse?.requestId ?? requestId
}
