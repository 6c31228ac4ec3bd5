/** Settings that hold secrets: a bundler that inlines the environment writes the name or the value. */
export const SECRET_NAMES = [
  ...['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'TOKEN_SECRET', 'SMTP_URL', 'META_CAPI_TOKEN'],
  ...['DATABASE_URL', 'DATABASE_URL_DIRECT', 'DATABASE_URL_READ'],
  ...['SANITY_READ_TOKEN', 'SANITY_TOKEN', 'LAKE_TOKEN'],
]

/**
 * What `npm test` builds the site with in place of secrets, to be searched for. SANITY_TOKEN is left out: a build sends
 * it to the content lake.
 */
export const CANARIES: Readonly<Record<string, string>> = Object.fromEntries(
  SECRET_NAMES.filter((name) => name !== 'SANITY_TOKEN').map((name, at) => [name, `nobody-may-read-this-${at}`]),
)
