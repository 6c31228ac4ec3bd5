import { z } from 'zod'
import type { CreateAccountRequest, CreateAccountResponse } from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { rotateToken } from '../sessions/access.ts'
import { nextPage, openFrom } from '../sessions/routes.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { createAccount } from './accounts.ts'

// the rules and their messages are the contract's; here only what is no password at all is refused
const accountBody: z.ZodType<CreateAccountRequest> = z.object({
  password: z.string().max(10_000),
  passwordConfirmation: z.string().max(10_000),
})
const accountAnswer: z.ZodType<CreateAccountResponse> = z.object({ userId: z.string(), nextPage })

export function accountRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'createAccount', { body: accountBody, answer: accountAnswer, limit: 'account' }, async (call) => {
    const open = await openFrom(deps, call)
    const account = await createAccount(deps, open.session, call.body)
    for (const cookie of account.cookies) call.res.append('Set-Cookie', cookie)
    await rotateToken(deps, call.req, call.res, open, new Date())
    return { userId: account.userId, nextPage: await readNextPage(deps, open.session.id) }
  })
}
