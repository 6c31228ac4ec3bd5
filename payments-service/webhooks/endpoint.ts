/** Seconds by which a signature's time may be in the past or the future. */
export const TOLERANCE = 300

export const WEBHOOK_PATH = '/api/webhooks/stripe'
