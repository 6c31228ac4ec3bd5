import { z } from 'zod'
import { countriesWith } from '../../contract/duties/table.ts'
import type { Config } from '../config.ts'
import type { Log } from '../http/logging.ts'
import { identityFrom } from '../mail/identity.ts'
import type { MailIdentity } from '../mail/mail.ts'
import type { Lake } from './lake.ts'
import { remembered } from './remembered.ts'

/**
 * What the service needs of the editors' settings: the sender of mails, where the stricter buying rules apply (H-02),
 * what is sold.
 */
export interface SiteSettings {
  identity: MailIdentity
  strictBuyingCountries: readonly string[]
  /** false where an editor switched the reading product off. */
  readingEnabled: boolean
}

const FRESH = 60_000
const query = '*[_type == "settings" && _id == "settings"][0]'
const document = z.object({
  productName: z.string().min(1),
  company: z.object({ name: z.string().min(1), address: z.string().min(1), country: z.string().min(1) }),
  contactEmail: z.string().min(3),
  strictBuyingCountries: z.array(z.string()).nullish(),
  readingEnabled: z.boolean().nullish(),
})

/** Where the law gives a right to withdraw, or we do: editors can add to it, and take nothing from a buyer. */
const strict = (): readonly string[] => countriesWith('withdrawal')

/** The settings, read again every minute. Never fails: without the lake, MAIL_FROM names the sender of mails. */
export function createSiteSettings(config: Config, lake: Lake | null, log: Log): () => Promise<SiteSettings> {
  const fallback: SiteSettings = {
    identity: { ...identityFrom(config.mail.from), siteUrl: config.siteUrl },
    strictBuyingCountries: strict(),
    // unknown does not mean off: a page that sells readings is built only where the setting is on
    readingEnabled: true,
  }
  if (!lake) return () => Promise.resolve(fallback)
  const warn = (error: unknown): void => log.warn({ err: error }, 'the settings could not be read')
  const read = remembered(
    FRESH,
    async (): Promise<SiteSettings> => {
      const found = document.parse(await lake.fetch(query))
      return {
        identity: {
          productName: found.productName,
          companyName: found.company.name,
          companyAddress: `${found.company.address}, ${found.company.country}`,
          contactEmail: found.contactEmail,
          siteUrl: config.siteUrl,
        },
        strictBuyingCountries: [...new Set([...strict(), ...(found.strictBuyingCountries ?? [])])],
        readingEnabled: found.readingEnabled ?? false,
      }
    },
    warn,
  )
  return () =>
    read().catch((error: unknown) => {
      warn(error)
      return fallback
    })
}
