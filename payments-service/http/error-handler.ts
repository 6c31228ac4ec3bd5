import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { ErrorBody } from '../../contract/api/error.ts'
import { contextOf } from './context.ts'
import { isDatabaseAway } from './database-away.ts'
import { AppError } from './errors.ts'
import { sendPlainPage } from './plain-page.ts'

/** Headings of the error page. */
const TITLES: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  429: 'Please wait a moment',
  503: 'Please try again in a minute',
}

/** body-parser's errors have a type; anything else that is not an AppError is our fault. */
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
  // a path that cannot be decoded (%E0%A4%A)
  if (error instanceof URIError || status === 400) return new AppError('not_found', { cause: error })
  // a request that was running when its visit was erased (D-12): the triggers `refuse_erased` and `keep_erased`
  if (code === 'FE410') return new AppError('session_unknown', { cause: error })
  if (isDatabaseAway(error)) return new AppError('service_unavailable', { cause: error, retryAfter: 5 })
  return new AppError('internal', { cause: error })
}

/**
 * Writes the contract's ErrorBody; a page with the same words where a person will see it (a form, a link in a mail).
 */
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

/** For requests that no route handles. */
export const notFound: RequestHandler = () => {
  throw new AppError('not_found')
}
