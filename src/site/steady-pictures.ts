/**
 * The embedded content lake has a different port in every run, and Astro caches a picture under its address, so the
 * same bytes would be processed again for half a minute. A build therefore knows the lake's pictures under one name,
 * and only fetching them uses the port.
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
