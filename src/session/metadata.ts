import type { SessionMetadata } from '../../contract/api.ts'

/**
 * D-07: the metadata of this browser. The service derives device, browser and system from the user agent, and takes
 * country and city from the CDN's headers, never from here.
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
