/** Seconds a signature may be old or dated ahead. */
export const TOLERANCE = 300

export const WEBHOOK_PATH = '/api/webhooks/stripe'
