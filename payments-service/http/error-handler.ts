import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { ErrorBody } from '../../contract/api/error.ts'
import { contextOf } from './context.ts'
import { isDatabaseAway } from './database-away.ts'
import { AppError } from './errors.ts'
import { sendPlainPage } from './plain-page.ts'

/** Headings of the page of an error. */
const TITLES: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  429: 'Please wait a moment',
  503: 'Please try again in a minute',
}

/** body-parser's errors carry a type; everything else that is no AppError is ours to be ashamed of. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { type, status, code } = error as { type?: string; status?: number; code?: string }
  switch (type) {
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
    case 'charset.unsupported':
      return new AppError('malformed_json', { cause: error })
    case 'encoding.unsupported':
      return new AppError('unsupported_media_type', { cause: error })
    case 'entity.too.large':
      return new AppError('body_too_large', { cause: error })
  }
  // a path that does not decode (%E0%A4%A)
  if (error instanceof URIError || status === 400) return new AppError('not_found', { cause: error })
  // a request that was under way when its visit was erased (D-12): the triggers `refuse_erased` and `keep_erased`
  if (code === 'FE410') return new AppError('session_unknown', { cause: error })
  if (isDatabaseAway(error)) return new AppError('service_unavailable', { cause: error, retryAfter: 5 })
  return new AppError('internal', { cause: error })
}

/** Writes the contract's ErrorBody; a page of the same words where a person looks at it (a form, a link in a mail). */
export function sendError(req: Request, res: Response, error: AppError): void {
  const { requestId } = contextOf(req)
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', String(error.retryAfter))
  if (req.accepts(['json', 'html']) === 'html') {
    return sendPlainPage(res, error.status, TITLES[error.status] ?? 'That did not work', error.message)
  }
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      ...(error.field === undefined ? {} : { field: error.field }),
      requestId,
      ...(error.terms === undefined ? {} : { terms: error.terms }),
    },
  }
  res.setHeader('Cache-Control', 'no-store')
  res.status(error.status).json(body)
}

/**
 * Last in the chain. `translate` turns errors of a domain into AppErrors. 5xx are logged with their cause and reveal
 * nothing.
 */
export function errorHandler(translate: (error: unknown) => unknown): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const known = toAppError(translate(error))
    const { log } = contextOf(req)
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, 'request failed')
    else log.debug({ code: known.code, field: known.field }, 'request refused')
    if (res.headersSent) res.destroy()
    else sendError(req, res, known)
  }
}

/** Whatever no route took. */
export const notFound: RequestHandler = () => {
  throw new AppError('not_found')
}
