import type * as Tracking from '../tracking/tracking.ts'

/** T-04: tracking loads after the page; if it fails to load, nothing waits for it. */
export const track = (report: (tracking: typeof Tracking) => Promise<void> | void): Promise<void> =>
  import('../tracking/tracking.ts').then(report).catch(() => undefined)
