import { z } from 'zod'
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import { errorBody } from '../../contract/api/error.ts'
import { type EndpointName, type Shape, shapes } from '../../contract/api/shapes.ts'
import { wholeApi } from '../../contract/whole-api.ts'

const ErrorAnswer = errorBody.meta({
  id: 'ErrorBody',
  description: 'Every error: a stable code, words for a person, the field that was wrong',
})

/** The OpenAPI document of every mounted endpoint: all of it from the contract. */
export function openApiDocument(mounted: readonly EndpointName[]): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {}
  for (const name of mounted) {
    const { method, path } = wholeApi[name]
    const { summary, request, answer }: Shape = shapes[name]
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '')
    const ids = Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: name,
        summary,
        ...(parameters.length > 0 ? { requestParams: { path: z.object(ids) } } : {}),
        ...(request ? { requestBody: { required: true, content: { 'application/json': { schema: request } } } } : {}),
        responses: {
          '200': { description: 'Done', content: { 'application/json': { schema: answer } } },
          default: { description: 'Refused', content: { 'application/json': { schema: ErrorAnswer } } },
        },
      },
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Payments service',
      version: '1',
      description: 'The API between the browser and the service. The token cookie of a session opens what is under it.',
    },
    paths,
  })
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark)

/** The same as one readable page without scripts (embedded mode). */
export function openApiPage(document: ReturnType<typeof createDocument>): string {
  const sections = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => {
      const {
        summary = '',
        requestBody,
        responses,
      } = operation as {
        summary?: string
        requestBody?: { content?: Record<string, { schema?: unknown }> }
        responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>
      }
      const shape = (schema: unknown) => `<pre>${escape(JSON.stringify(schema ?? {}, null, 2))}</pre>`
      const sent = requestBody?.content?.['application/json']?.schema
      const answered = responses?.['200']?.content?.['application/json']?.schema
      return `<section><h2>${method.toUpperCase()} <code>${escape(path)}</code></h2><p>${escape(summary)}</p>
${sent ? `<details><summary>Request</summary>${shape(sent)}</details>` : ''}
<details><summary>Answer</summary>${shape(answered)}</details></section>`
    }),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API of the payments service</title><h1>API of the payments service</h1>
<p>The same as <a href="/api/openapi.json">OpenAPI JSON</a>.</p>${sections.join('\n')}</html>`
}
