import { eventIdOf } from '../../contract/event-id.ts'
import { storedSessionId } from '../session/id.ts'
import { local } from '../session/storage.ts'
import { mayAdvertise } from './consent.ts'

/**
 * T-01: the tag manager and the pixel. They load only after consent and where the page names them: in a meta element
 * that the build writes on pages without a session id or a question, when the editor set an id.
 */
type Pixel = ((...call: unknown[]) => void) & { queue?: unknown[]; loaded?: boolean; version?: string }
declare global {
  interface Window {
    fbq?: Pixel
    _fbq?: Pixel
  }
}

/** `gtm=GTM-ABC; pixel=123`. Anything that is not a valid id is ignored. */
export function parseParties(text: string): { gtm?: string; pixel?: string } {
  const gtm = /(?:^|; )gtm=(GTM-[A-Z0-9]{4,12})(?:;|$)/.exec(text)?.[1]
  const pixel = /(?:^|; )pixel=(\d{5,20})(?:;|$)/.exec(text)?.[1]
  return { ...(gtm ? { gtm } : {}), ...(pixel ? { pixel } : {}) }
}

function load(src: string): void {
  document.head.append(Object.assign(document.createElement('script'), { src, async: true }))
}

let loaded = false

/** Loads what this page names, once. */
export function loadThirdParties(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="third-parties"]')?.content
  if (loaded || !named) return
  loaded = true
  const { gtm, pixel } = parseParties(named)
  if (gtm) {
    window.dataLayer ??= []
    window.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' })
    load(`https://www.googletagmanager.com/gtm.js?id=${gtm}`)
  }
  if (pixel) {
    const queue: unknown[] = []
    const fbq: Pixel = (...call) => void queue.push(call)
    window.fbq = window._fbq = Object.assign(fbq, { queue, loaded: true, version: '2.0', push: fbq })
    load('https://connect.facebook.net/en_US/fbevents.js')
    // nothing automatic: no button texts, no form fields, no microdata
    fbq('set', 'autoConfig', false, pixel)
    fbq('init', pixel)
    fbq('track', 'PageView')
  }
}

/** T-02: what was loaded before a withdrawal ends with its page, which is loaded anew without it. */
export function stopThirdParties(): void {
  if (!loaded) return
  window.fbq?.('consent', 'revoke')
  location.reload()
}

/** T-03: Contact, in the data layer and the pixel, under the id that the service also sends. */
export async function tellContact(push: (event: string, data: Record<string, string>) => void): Promise<void> {
  const sessionId = storedSessionId(local)
  const eventID = sessionId ? await eventIdOf('Contact', sessionId) : undefined
  push('Contact', eventID ? { event_id: eventID } : {})
  // withdrawn meanwhile, in another tab
  if (mayAdvertise()) window.fbq?.('track', 'Contact', {}, eventID ? { eventID } : {})
}
