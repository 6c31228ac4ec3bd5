/** Pieces of bodies and answers about a visit that several routes share. */
import { z } from 'zod'
import type { NextPage, SessionMetadata } from '../../contract/api.ts'
import type { Attribution } from '../../contract/attribution.ts'
import { text } from '../http/schemas.ts'

/** Too long for a campaign name or a user agent is cut by whoever stores it, up to here. */
const loose = text(2_000)

export const attribution: z.ZodType<Attribution> = z.object({
  utm_source: loose.exactOptional(),
  utm_medium: loose.exactOptional(),
  utm_campaign: loose.exactOptional(),
  utm_content: loose.exactOptional(),
  utm_term: loose.exactOptional(),
  utm: loose.exactOptional(),
  fbclid: loose.exactOptional(),
})

export const metadata: z.ZodType<SessionMetadata> = z.object({
  userAgent: loose.exactOptional(),
  referrer: loose.exactOptional(),
  deviceType: loose.exactOptional(),
  browser: loose.exactOptional(),
  os: loose.exactOptional(),
  screenResolution: loose.exactOptional(),
  timezone: loose.exactOptional(),
  language: loose.exactOptional(),
})

export const nextPage: z.ZodType<NextPage> = z.enum(['quiz', 'checkout', 'multi-upsell', 'user-creation', 'thank-you'])
