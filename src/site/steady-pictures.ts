/**
 * The embedded content lake has another port in every run, and Astro caches a picture under its address:
 * half a minute of drawing anew for the same bytes. A build knows the lake's pictures by one name, and only
 * their fetching knows the port.
 */
const STEADY = 'http://lake.localhost'

/** For a content lake on this machine; src/cms/picture.ts reads PICTURE_HOST. */
export function steadyPictures(apiHost: string | undefined): void {
  if (!apiHost || !/^(127\.0\.0\.1|localhost)$/.test(new URL(apiHost).hostname)) return
  process.env['PICTURE_HOST'] = STEADY
  const { origin } = new URL(apiHost)
  const fetchNow = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(`${STEADY}/`)) return fetchNow(input, init)
    const there = origin + address.slice(STEADY.length)
    return fetchNow(input instanceof Request ? new Request(there, input) : there, init)
  }
}
