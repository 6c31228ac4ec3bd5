import { createHash } from 'node:crypto'
import { CURRENCY, toDollars } from '../../contract/money.ts'
import type { ConversionPayload } from '../jobs/conversions.ts'
import type { ConversionName } from '../jobs/kinds.ts'

/**
 * T-02: the event sent to Meta's Conversions API. An allow-list: it is built here field by field, so that nothing else
 * of a session, its answers or its addresses can get in. It names no product either: what is bought here reveals
 * something about their eyes.
 */
export interface MetaEvent {
  event_name: ConversionName
  /** Seconds since the epoch. */
  event_time: number
  event_id: string
  action_source: 'website'
  event_source_url: string
  user_data: {
    em?: string[]
    fn?: string[]
    ln?: string[]
    ct?: string[]
    country?: string[]
    client_user_agent?: string
    fbc?: string
    fbp?: string
  }
  custom_data?: { value: number; currency: string }
}

export interface ConversionPerson {
  email: string | null
  name: string | null
  user_agent: string | null
  fbc: string | null
  fbp: string | null
  fbclid: string | null
  country: string | null
  city: string | null
  created_at: Date
}

/** The page that each event belongs to, without any id. */
const PAGES: Record<ConversionName, string> = {
  Lead: '/quiz',
  InitiateCheckout: '/checkout',
  Purchase: '/checkout',
  Subscribe: '/checkout',
  Contact: '/legal/contact-us',
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Meta's normal form of names and places: lower case, letters only. */
const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

function field(text: string | null | undefined, normal: (text: string) => string): string[] | undefined {
  const found = text ? normal(text) : ''
  return found ? [hashed(found)] : undefined
}

const FB = /^fb\.\d\.\d{10,17}\.[\w.-]{1,500}$/

/** The click id in the form of Meta's cookie; derived from fbclid if there was no cookie. */
export function fbcOf(person: Pick<ConversionPerson, 'fbc' | 'fbclid' | 'created_at'>): string | undefined {
  const made = person.fbclid ? `fb.1.${person.created_at.getTime()}.${person.fbclid}` : undefined
  return [person.fbc ?? undefined, made].find((text) => text !== undefined && FB.test(text))
}

/** Removes undefined fields. */
function present<T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

export function conversionEvent(payload: ConversionPayload, person: ConversionPerson, siteUrl: string): MetaEvent {
  const [first, ...rest] = (person.name ?? '').trim().split(/\s+/)
  const event: MetaEvent = {
    event_name: payload.name,
    event_time: Math.floor(Date.parse(payload.at) / 1000),
    event_id: payload.eventId,
    action_source: 'website',
    event_source_url: `${siteUrl}${PAGES[payload.name]}`,
    user_data: present<MetaEvent['user_data']>({
      em: field(person.email, (text) => text.trim().toLowerCase()),
      fn: field(first, letters),
      ln: field(rest.at(-1), letters),
      ct: field(person.city, letters),
      country: field(person.country, (text) => text.toLowerCase()),
      client_user_agent: person.user_agent ?? undefined,
      fbc: fbcOf(person),
      fbp: person.fbp && FB.test(person.fbp) ? person.fbp : undefined,
    }),
  }
  return payload.value === undefined
    ? event
    : {
        ...event,
        custom_data: { value: toDollars(payload.value), currency: (payload.currency ?? CURRENCY).toUpperCase() },
      }
}

/**
 * Meta refuses an event that tells of its person no more than one of these
 * (developers.facebook.com/docs/marketing-api/conversions-api/best-practices, baseline requirements for matching).
 */
const TOO_BROAD: readonly (readonly string[])[] = [['ct', 'country', 'client_user_agent'], ['fn'], ['ln']]

/** Whether Meta could recognise somebody: by an address, both names or an id of its own, not by a place alone. */
export function isMatchable({ user_data: person }: Pick<MetaEvent, 'user_data'>): boolean {
  return !TOO_BROAD.some((set) => Object.keys(person).every((name) => set.includes(name)))
}
