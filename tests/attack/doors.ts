/** Every request a stranger can make with an address, or with the id of a visit that has one. */
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { type Run, fill, visit, type Visitor } from './attack.ts'
import { someone } from './members.ts'
import { bodyWith, type Endpoint, type Place, placesOf } from './schema.ts'
import type { Answer, Sent } from './target.ts'

/** One endpoint, and how a stranger queries it about an address or visit that is known or unknown. */
export interface Door {
  name: string
  /** Returns the request to send, after doing everything that it depends on. */
  prepare(known: boolean): Promise<Sent>
}

/** Fields beside the address that need a plausible value to pass the first check. */
const TYPED: Record<string, string> = { password: 'Wrong Guess 1', code: '123456' }

/** The field in which an endpoint takes an address, whatever its name. */
const addressIn = ({ body }: Endpoint): Place | undefined =>
  body && placesOf(body).find(({ path }) => /mail/i.test(path.at(-1) ?? ''))

const posted = (method: string, path: string, body: object, headers: Record<string, string>): Sent => {
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  return {
    method,
    path,
    body: text,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
  }
}

/** Every endpoint of the OpenAPI document whose body has an address, and the two that the document does not show. */
export async function doorsOf(run: Run, members: readonly string[]): Promise<Door[]> {
  const { target, world } = run
  let asked = 0
  const someoneKnown = () => members[asked++ % members.length] as string
  const address = (known: boolean) => (known ? someoneKnown() : someone())
  let from = 0
  const network = () => ({ 'x-forwarded-for': `203.${100 + ((from >> 16) & 63)}.${(from >> 8) & 255}.${from++ & 255}` })

  const own = async (paid: boolean): Promise<Visitor> => {
    const visitor = await visit(run)
    if (!paid) return visitor
    const values = { payment_status: 'paid', paid_at: new Date(), email: someone() }
    await world.db.updateTable('sessions').set(values).where('id', '=', visitor.sessionId).execute()
    return visitor
  }
  const doors: Door[] = []
  for (const endpoint of await target.endpoints()) {
    const { name, method, path, body, parameters } = endpoint
    const place = addressIn(endpoint)
    if (!body || !place) continue
    const typed = Object.fromEntries(Object.entries(TYPED).filter(([field]) => body.properties?.[field]))
    const ask = (email: string, visitor?: Visitor): Sent =>
      posted(
        method,
        fill(path, visitor ? { sessionId: visitor.sessionId } : {}),
        { ...(bodyWith(body, place, email) as object), ...typed },
        visitor?.headers ?? network(),
      )
    if (!parameters.includes('sessionId')) {
      doors.push({ name, prepare: (known) => Promise.resolve(ask(address(known))) })
      continue
    }
    // in a visit of the stranger's own; some endpoints open only after the payment
    const paid = codeOf(await target.send(ask(someone(), await own(false)))) === 'not_paid'
    doors.push({ name, prepare: async (known) => ask(address(known), await own(paid)) })
  }

  const visits = await Promise.all(
    Array.from({ length: Math.min(20, members.length) }, async () => {
      const { sessionId, headers } = await visit(run)
      await target.json('PUT', `/api/sessions/${sessionId}/email`, { email: someone() }, headers)
      return sessionId
    }),
  )
  const idOf = (known: boolean) => (known ? (visits[asked++ % visits.length] as string) : crypto.randomUUID())
  const mailed = (known: boolean) => posted('POST', `/api/sessions/${idOf(known)}/resume-link`, {}, network())
  doors.push({ name: 'resumeLink by id', prepare: (known) => Promise.resolve(mailed(known)) })

  const operator = someone()
  await createOperator(world.db, operator, 'A Long Pass Phrase 1')
  const form = (email: string): Sent => {
    const body = new URLSearchParams({ email, password: 'A Wrong Pass Phrase 1' }).toString()
    const type = 'application/x-www-form-urlencoded'
    const headers = { ...network(), 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
    return { method: 'POST', path: '/operator/sign-in', body, headers }
  }
  doors.push({ name: 'operator sign-in', prepare: (known) => Promise.resolve(form(known ? operator : someone())) })
  return doors
}

/** The code of an error answer; else undefined. */
export function codeOf({ text }: Pick<Answer, 'text'>): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code
  } catch {
    return undefined
  }
}
