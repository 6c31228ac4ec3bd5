import type { Request, Response } from 'express'
import { UUID } from '../../contract/uuid.ts'
import type { Deps } from '../deps.ts'
import { contextOf } from '../http/context.ts'
import { AppError } from '../http/errors.ts'
import type { Markup } from './html.ts'
import { HEADERS, sendPage } from './page.ts'
import { formToken, type Operator, requireOperator } from './sign-in.ts'
import { actionOf, namedBy, note, shownBy } from './trail.ts'

/** A request of a signed-in operator. */
export interface Signed {
  req: Request
  res: Response
  operator: Operator
  formToken: string
}

type Body = (signed: Signed) => Promise<Markup | undefined> | Markup
/** GET of a page. */
export type Page = (path: string, title: string, at: string | undefined, body: Body) => void
/** POST of a form of ours. */
export type Action = (path: string, act: (signed: Signed) => Promise<void>) => void

/**
 * Admits an operator to a page or an action. The log gets the page but no visit; visits go into the trail (`show`,
 * `begin`).
 */
export async function enter(deps: Deps, req: Request, res: Response): Promise<Signed> {
  const operator = await requireOperator(deps, req)
  const route = (req.route as { path?: string } | undefined)?.path
  contextOf(req).log.info({ operator: operator.userId, route, method: req.method }, 'operator')
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
  return { req, res, operator, formToken: formToken(deps, operator) }
}

/** Records in the trail what an operator is about to do, whatever becomes of it. */
export async function begin({ db }: Deps, { req, operator }: Signed): Promise<void> {
  await note(db, operator.userId, actionOf(req), namedBy(req))
}

/** Sends a page, after recording in the trail whose visits it shows. */
export async function show(
  { db }: Deps,
  signed: Signed,
  title: string,
  at: string | undefined,
  body: Markup,
  { script = false }: { script?: boolean } = {},
): Promise<void> {
  await note(db, signed.operator.userId, actionOf(signed.req), [...namedBy(signed.req), ...shownBy(body)])
  sendPage(signed.res, {
    title,
    body,
    operator: { email: signed.operator.email, formToken: signed.formToken },
    script,
    ...(at ? { at } : {}),
  })
}

/** What was typed into a form, without the NUL that no text of PostgreSQL can hold. */
export function fields(req: Request): Record<string, string | undefined> {
  const body = (req.body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 1_000) : undefined,
    ]),
  )
}

/** The visit that an address names. Throws not_found. */
export function visitOf(req: Request): string {
  const id = String(req.params['sessionId'])
  if (!UUID.test(id)) throw new AppError('not_found')
  return id
}
