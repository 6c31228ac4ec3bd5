/**
 * The id of a conversion event, the same in the browser's data layer and in the service's report, so that advertisers
 * count it once (T-02). A hash, so that it does not reveal the session. Subjects: the session id, for Purchase
 * `{sessionId}:{productId}`.
 */
export async function eventIdOf(event: string, subject: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${event}:${subject}`))
  return [...new Uint8Array(bytes)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 32)
}
