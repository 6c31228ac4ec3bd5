import express, { type Request, type RequestHandler } from 'express'
import { api } from '../../contract/api.ts'
import { AppError } from './errors.ts'

/** Largest body taken, in bytes. */
export const BODY_LIMIT = 100 * 1024

/** Where text is taken for JSON. Session cookies are SameSite=Lax, so another site's post carries none. */
const BEACON_PATHS: ReadonlySet<string> = new Set([api.track.path])

/** Bodies are JSON. A form or text post is refused: with a JSON type no other origin can post without a preflight. */
export const requireJson: RequestHandler = (req, _res, next) => {
  if (BEACON_PATHS.has(req.path)) return next()
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && !req.is('application/json')) throw new AppError('unsupported_media_type')
  next()
}

/** A beacon of a page that goes may only have a "simple" type: its text is JSON all the same. */
const parseBeacon: RequestHandler = express.json({
  limit: BODY_LIMIT,
  strict: true,
  type: ['application/json', 'text/plain'],
})
const parseOther: RequestHandler = express.json({ limit: BODY_LIMIT, strict: true })
export const parseJson: RequestHandler = (req, res, next) =>
  (BEACON_PATHS.has(req.path) ? parseBeacon : parseOther)(req, res, next)

/** A browser that says who asked names our own origin, or nobody (an address that was typed). Others say nothing. */
const OURS: ReadonlySet<string | string[] | undefined> = new Set([undefined, 'same-origin', 'none'])
const isForeign = ({ headers }: Request): boolean => !OURS.has(headers['sec-fetch-site'])

/**
 * The session cookie acts for our own pages only: a browser that says it comes from elsewhere is refused (CSRF), also
 * from a sibling host, which SameSite does not stop.
 */
export const refuseForeign: RequestHandler = (req, _res, next) => {
  const unsafe = req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'OPTIONS'
  if (unsafe && isForeign(req)) throw new AppError('session_forbidden')
  next()
}

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i
const TEXT_TYPE = /^text\/plain(?:; ?charset=utf-8)?$/i

/**
 * Whether a request would pass everything above untouched: from a page of ours, its body whole, of known and allowed
 * length, in UTF-8. False decides nothing: the layers above do.
 */
export function isPlainPost(req: Request, path: string): boolean {
  const { method, headers } = req
  const type = headers['content-type'] ?? ''
  const length = Number(headers['content-length'])
  return (
    method === 'POST' &&
    !isForeign(req) &&
    length > 0 &&
    length <= BODY_LIMIT &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    (JSON_TYPE.test(type) || (BEACON_PATHS.has(path) && TEXT_TYPE.test(type)))
  )
}

const utf8 = new TextDecoder()

/** The body of a plain post, parsed. Rejects with malformed_json. */
export function readPlainJson(req: Request): Promise<object> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const refuse = (cause?: unknown) => reject(new AppError('malformed_json', { cause }))
    req.on('data', (piece: Buffer) => pieces.push(piece))
    req.on('error', refuse)
    req.on('end', () => {
      try {
        const value: unknown = JSON.parse(utf8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)))
        // as express.json in its strict mode
        if (typeof value === 'object' && value !== null) resolve(value)
        else refuse()
      } catch (error) {
        refuse(error)
      }
    })
  })
}
