import type { SessionMetadata } from '../../contract/api.ts'

/**
 * D-07: the metadata of this browser. Device, browser and system follow from the user agent (tracking/user-agent.ts, off
 * the landing page, and the service). Country and city come from the CDN's headers on the service's side, never from here.
 */
export function readMetadata(): SessionMetadata {
  const agent = navigator.userAgent
  return {
    userAgent: agent.slice(0, 500),
    ...(document.referrer ? { referrer: document.referrer.slice(0, 500) } : {}),
    screenResolution: `${screen.width}x${screen.height}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '',
    language: navigator.language,
  }
}
