import type { Settings } from '../../contract/content.ts'

/** The settings that the screens after the quiz need; the others are not sent with the page. */
export type FunnelSettings = Pick<
  Settings,
  | 'productName'
  | 'contactEmail'
  | 'marketingPretickedCountries'
  | 'strictBuyingCountries'
  | 'healthConsentRegions'
  | 'marketingConsentText'
  | 'consentVersion'
>

export function funnelSettings(settings: Settings): FunnelSettings {
  return {
    productName: settings.productName,
    contactEmail: settings.contactEmail,
    marketingPretickedCountries: settings.marketingPretickedCountries,
    strictBuyingCountries: settings.strictBuyingCountries,
    healthConsentRegions: settings.healthConsentRegions,
    marketingConsentText: settings.marketingConsentText,
    consentVersion: settings.consentVersion,
  }
}
