/** Values for the endpoints of an OpenAPI document: what each field accepts, and what it must survive. */
import { randomUUID } from 'node:crypto'

/** As much of JSON Schema as the document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}

export interface Endpoint {
  name: string
  method: string
  /** With its parameters in braces. */
  path: string
  parameters: string[]
  body: Schema | undefined
}

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** A beacon's events: the service checks them one by one, so the document leaves their shape open. */
const EVENT: Schema = {
  oneOf: [
    fields({ kind: { const: 'page_view' }, id: guid(), url: text(), title: text(), step: text(), referrer: text() }),
    fields({
      kind: { const: 'activity' },
      id: guid(),
      type: { const: 'attacked' },
      data: fields({ a: text(2_000) }),
      url: text(),
      title: text(),
    }),
    fields({ kind: { const: 'error' }, id: guid(), type: text(), message: text(), stack: text(), url: text() }),
  ],
}

function fields(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties }
}
function text(maxLength = 20_000): Schema {
  return { type: 'string', minLength: 1, maxLength }
}
function guid(): Schema {
  return { type: 'string', format: 'uuid' }
}

/** Every endpoint of a document, with the schema of its body. */
export function endpointsOf(document: Document): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      const body = schema && resolve(schema, document)
      if (operationId === 'track' && body?.properties?.['events']) body.properties['events'].items = EVENT
      const parameters = path
        .split('{')
        .slice(1)
        .map((part) => part.split('}')[0] ?? '')
      return { name: operationId, method: method.toUpperCase(), path, parameters, body }
    }),
  )
}

/** A schema with its references resolved. */
function resolve(schema: Schema, document: Document): Schema {
  if (schema.$ref) return resolve(document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document)
  const one = (inner: Schema) => resolve(inner, document)
  return {
    ...schema,
    ...(schema.anyOf && { anyOf: schema.anyOf.map(one) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(one) }),
    ...(schema.items && { items: one(schema.items) }),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, one(inner)])),
    }),
  }
}

const EXAMPLES = ['pi_1', 'abc', '123456', '2026-11-22', 'DE']

/** A valid value. `choice` picks among alternatives. */
export function sample(schema: Schema, choice = 0): unknown {
  const options = schema.oneOf ?? schema.anyOf
  if (options) return sample(options[choice % options.length] ?? {}, choice)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, sample(inner, choice)]),
    )
  }
  if (type === 'array') return [sample(schema.items ?? {}, choice)]
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return Math.max(1, schema.minimum ?? 1)
  if (type !== 'string') return null
  if (schema.format === 'uuid' || schema.format === 'guid') return randomUUID()
  if (schema.format === 'date-time') return new Date().toISOString()
  const pattern = schema.pattern ? new RegExp(schema.pattern, 'u') : undefined
  return EXAMPLES.find((one) => !pattern || pattern.test(one)) ?? randomUUID()
}

/** A field's way through objects; `*` is any item of a list. */
export interface Place {
  path: string[]
  schema: Schema
  /** Which alternative of its parents holds it. */
  choice: number
}

/** All fields that hold a value rather than other fields. */
export function placesOf(schema: Schema, path: string[] = [], choice = 0): Place[] {
  const options = schema.oneOf ?? schema.anyOf
  if (options) return options.flatMap((option, at) => placesOf(option, path, at))
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => placesOf(inner, [...path, name], choice))
  }
  if (schema.items) return placesOf(schema.items, [...path, '*'], choice)
  return [{ path, schema, choice }]
}

/** The valid body with a different value in one place; `items` copies it where that place is in a list. */
export function bodyWith(schema: Schema, { path, choice }: Place, value: unknown, items = 1): unknown {
  const body = sample(schema, choice)
  const put = (holder: Record<string, unknown>, [name = '', ...rest]: string[]): void => {
    if (rest.length === 0) return void (holder[name] = value)
    if (rest[0] !== '*') return put(holder[name] as Record<string, unknown>, rest)
    const list = Array.from({ length: items }, () => structuredClone((holder[name] as unknown[])[0]))
    holder[name] = rest.length === 1 ? list.map(() => value) : list
    if (rest.length === 1) return
    for (const item of list as Record<string, unknown>[]) {
      renew(item)
      put(item, rest.slice(1))
    }
  }
  if (path.length > 0) put(body as Record<string, unknown>, path)
  return body
}

/** Events are identified by their ids: copies need new ones. */
function renew(item: Record<string, unknown>): void {
  if (typeof item['id'] === 'string') item['id'] = randomUUID()
}

/** What patterns and parsers have choked on elsewhere, to be repeated up to the limit. */
export const SHAPES = [
  'a',
  '0',
  ' ',
  '\t\n',
  '.',
  '@',
  'a@',
  '.a',
  'a.',
  '-',
  '=<',
  '(',
  '[',
  '/',
  '\\',
  '%',
  'sk_a',
  'http://',
  '{"a":[',
  '"é😀\u202e',
] as const

/** A shape repeated to a length. */
export const repeated = (shape: string, length: number): string =>
  shape.repeat(Math.ceil(length / shape.length)).slice(0, Math.floor(length))
