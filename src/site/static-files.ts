import type { IncomingMessage, ServerResponse } from 'node:http'
import sirv, { type Options } from 'sirv'
import { textTypes } from './headers.ts'

type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * The files of a folder, listed once. An unsatisfiable or unsupported range (`bytes=10-5`, several, a suffix) is
 * ignored, as RFC 9110 (14.2) allows: sirv would pass it to the file system, which throws. Text files name their
 * charset, which sirv does only for HTML.
 */
export function staticFiles(folder: string, options: Options): Serve {
  const serve = sirv(folder, {
    ...options,
    setHeaders: (response, path) => {
      const type = textTypes[path.slice(path.lastIndexOf('.') + 1)]
      if (type) response.setHeader('Content-Type', `${type}; charset=utf-8`)
    },
  })
  return (request, response, next) => {
    const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.range ?? '') ?? []
    const usable = request.method !== 'HEAD' && first !== undefined && (!last || Number(first) <= Number(last))
    if (!usable) delete request.headers.range
    serve(request, response, next)
  }
}
