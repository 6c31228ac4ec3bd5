import type { Request } from 'express'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import { emailKey } from '../../contract/email.ts'
import { UUID, UUIDS } from '../../contract/uuid.ts'
import { networkOf } from '../http/networks.ts'
import { keyedHash } from '../keys/keys.ts'
import { html, long, type Markup, table } from './html.ts'

/** Subjects are only ids, so that no address is stored and nothing has to be erased (D-12). */
const isId = (subject: string): boolean => UUID.test(subject) || /^evt_\w{1,60}$/i.test(subject)

/** Appends what an operator saw or did: a row per subject, or one without. If this fails, access is refused. */
export async function note(
  db: Database,
  operatorId: string,
  action: string,
  subjects: readonly string[] = [],
): Promise<void> {
  const rows = [...new Set(subjects.filter(isId).map((subject) => subject.toLowerCase()))]
  await db
    .insertInto('operator_trail')
    .values((rows.length > 0 ? rows : [null]).map((subject) => ({ operator_id: operatorId, action, subject })))
    .execute()
}

/** `POST /operator/money-back/:id approve`: method, path template and the button that was pressed. */
export function actionOf(req: Request): string {
  const { decision, act } = (req.body ?? {}) as Record<string, unknown>
  const button = [decision, act].find((value) => typeof value === 'string' && /^[a-z]{1,20}$/.test(value))
  const route = (req.route as { path?: string } | undefined)?.path ?? req.path
  return [req.method, route, button].filter(Boolean).join(' ').slice(0, 100)
}

/** The ids in a request: in its address, or in a form that selects visits. */
export function namedBy(req: Request): string[] {
  const { visit, who } = (req.body ?? {}) as Record<string, unknown>
  return [Object.values(req.params), visit, who].flat().filter((one) => typeof one === 'string')
}

const SHOWN_VISIT = new RegExp(`(?:/operator/sessions/|name="visit"\\s+value=")(${UUIDS.source})`, 'gi')

/** The visits on a page: those that link to their story or can be ticked. */
export function shownBy(body: Markup): string[] {
  return [...body.text.matchAll(SHOWN_VISIT)].map(([, id = '']) => id)
}

/** What is logged about a failed sign-in: the same person is recognisable but not named (N-02). */
export function failedSignIn({ tokenSecret }: Config, req: Request, email?: string): Record<string, string> {
  const digest = (text: string) => keyedHash(tokenSecret, 'failed sign-in', text).toString('base64url').slice(0, 22)
  return {
    network: digest(`network ${networkOf(req.ip)}`),
    ...(email === undefined ? {} : { address: digest(`address ${emailKey(email)}`) }),
  }
}

const SHOWN = 200

/** The latest rows, or those of one subject. */
export async function trailPage(db: Database, subject: string): Promise<Markup> {
  const rows = await db
    .selectFrom('operator_trail as t')
    .innerJoin('operator_user as o', 'o.id', 't.operator_id')
    .select(['t.at', 't.action', 't.subject', 'o.email'])
    .$if(subject !== '', (query) => query.where('t.subject', '=', subject.toLowerCase()))
    .orderBy('t.id', 'desc')
    .limit(SHOWN)
    .execute()
  return html`<form class="bar" method="get" action="/operator/trail" role="search">
      <label
        >Id of a visit <input name="subject" type="search" value="${subject}" size="38" autocomplete="off"
      /></label>
      <button>Search</button>${subject ? html`<a href="/operator/trail">Latest</a>` : ''}
    </form>
    ${table(
      subject ? `Who looked at it or did something (${rows.length})` : `The ${SHOWN} latest`,
      ['When (UTC)', 'Operator', 'What', 'Whose'],
      rows.map((row) => [
        row.at,
        long(row.email),
        row.action,
        row.subject ? html`<a class="long" href="/operator/trail?subject=${row.subject}">${row.subject}</a>` : '–',
      ]),
      'Nobody looked at this.',
    )}`
}
