/**
 * Plain HTTP/1.1 gives a browser six connections per host, and every listener of the Studio (server-sent events) holds
 * one: with a document open the next request would wait for ever. Each listener goes to a *.localhost name of its own,
 * which Chromium and Firefox resolve to loopback. Only for the embedded lake; Sanity's cloud speaks HTTP/2.
 */
export function shardListeners(apiHost: string): void {
  // the command line reads this configuration in a window without fetch
  if (typeof window === 'undefined' || typeof window.fetch !== 'function') return
  if (!/^https?:\/\/localhost(:|\/|$)/.test(apiHost)) return
  const { port } = new URL(apiHost)
  const fetchNow = window.fetch.bind(window)
  let listener = 0
  window.fetch = (input, init) => {
    const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    if (!/\/data\/(listen|live)\//.test(address)) return fetchNow(input, init)
    const url = new URL(address, window.location.href)
    if (url.port !== port || !url.hostname.endsWith('localhost')) return fetchNow(input, init)
    url.hostname = `sse${listener++}.${url.hostname}`
    return fetchNow(input instanceof Request ? new Request(url, input) : url.href, init)
  }
}
