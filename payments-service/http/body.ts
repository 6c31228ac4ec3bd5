import express, { type RequestHandler } from 'express'
import { api } from '../../contract/api.ts'
import { AppError } from './errors.ts'

/** Largest body accepted, in bytes. */
export const BODY_LIMIT = 100 * 1024

/** Where text is accepted as JSON. Session cookies are SameSite=Lax, so another site's post carries none. */
const BEACON_PATHS: ReadonlySet<string> = new Set([api.track.path])

/**
 * Bodies must be JSON. Forms and text are refused, because with a JSON type no other origin can post without a
 * preflight.
 */
export const requireJson: RequestHandler = (req, _res, next) => {
  if (BEACON_PATHS.has(req.path)) return next()
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && !req.is('application/json')) throw new AppError('unsupported_media_type')
  next()
}

/** A beacon sent while a page unloads may only have a "simple" type; its text is JSON all the same. */
const parseBeacon: RequestHandler = express.json({
  limit: BODY_LIMIT,
  strict: true,
  type: ['application/json', 'text/plain'],
})
const parseOther: RequestHandler = express.json({ limit: BODY_LIMIT, strict: true })
export const parseJson: RequestHandler = (req, res, next) =>
  (BEACON_PATHS.has(req.path) ? parseBeacon : parseOther)(req, res, next)

/**
 * Values of Sec-Fetch-Site that are accepted: our origin, or none (an address that was typed). Other clients send no
 * header.
 */
const OURS: ReadonlySet<string | string[] | undefined> = new Set([undefined, 'same-origin', 'none'])

/**
 * The session cookie works for our pages only: a request that its browser marks as coming from elsewhere is refused
 * (CSRF), also from a sibling host, which SameSite does not stop.
 */
export const refuseForeign: RequestHandler = (req, _res, next) => {
  const unsafe = req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'OPTIONS'
  if (unsafe && !OURS.has(req.headers['sec-fetch-site'])) throw new AppError('session_forbidden')
  next()
}

/**
 * Nothing of ours is at an address with a NUL, and PostgreSQL fails on a lookup with one. (In bodies each text is
 * checked: `storable` of contract/api/parts.ts.)
 */
export const refuseNul: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%00')) throw new AppError('not_found')
  next()
}
