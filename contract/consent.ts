/** Who is asked before something is stored or sent for advertising or measurement: one rule for all that ask it. */

/**
 * Time zones of those places, in case no CDN names the country: EEA, UK, Switzerland, Australia, Canada with its former
 * zones.
 */
const ZONES = new RegExp(
  '^(Europe/|Canada/|Australia/|Antarctica/Macquarie|Atlantic/(Canary|Madeira|Azores|Reykjavik|Faroe)|' +
    'Africa/Ceuta|Arctic/Longyearbyen|Asia/(Nicosia|Famagusta)|Indian/(Reunion|Mayotte)|' +
    'America/(Cayenne|Guadeloupe|Marigot|Martinique|Atikokan|Blanc-Sablon|Cambridge_Bay|Coral_Harbour|Creston|Dawson|' +
    'Edmonton|Fort_Nelson|Glace_Bay|Goose_Bay|Halifax|Inuvik|Iqaluit|Moncton|Montreal|' +
    'Nipigon|Pangnirtung|Rainy_River|Rankin_Inlet|Regina|Resolute|St_Johns|Swift_Current|Thunder_Bay|Toronto|' +
    'Vancouver|Whitehorse|Winnipeg|Yellowknife))',
)

/**
 * Whether a visitor has to be asked. `regions`: the countries in which visitors are (the service's CONSENT_REGIONS);
 * null while they are not known. Yes if nothing is known: asking once too often does no harm.
 */
export function consentAsked(
  country: string | null | undefined,
  timeZone: string | null | undefined,
  regions: readonly string[] | null,
): boolean {
  if (regions?.length === 0) return false
  if (country && regions) return regions.includes(country.toUpperCase())
  return timeZone ? ZONES.test(timeZone) : true
}

/** The evidence of a refusal that no one pressed: the browser signals it for its user (`Sec-GPC: 1`). */
export const PRIVACY_SIGNAL = 'Global Privacy Control'

/** The version of the banner's words (consent-words.ts); a change of meaning needs a new version, which asks again. */
export const CONSENT_VERSION = '2026-11'
