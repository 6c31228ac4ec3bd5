import express, { type RequestHandler } from 'express'
import { AppError } from './errors.ts'

/** Largest body taken, in bytes. */
export const BODY_LIMIT = 100 * 1024

/** Bodies are JSON. A form or text post is refused: with a JSON type no other origin can post without a preflight. */
export const requireJson: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (hasBody && !req.is('application/json')) throw new AppError('unsupported_media_type')
  next()
}

export const parseJson: RequestHandler = express.json({ limit: BODY_LIMIT, strict: true })

/** The session cookie acts for our own pages only: a browser that says it comes from elsewhere is refused (CSRF). */
export const refuseCrossSite: RequestHandler = (req, _res, next) => {
  const unsafe = req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'OPTIONS'
  if (unsafe && req.get('sec-fetch-site') === 'cross-site') throw new AppError('session_forbidden')
  next()
}
