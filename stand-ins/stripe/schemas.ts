// Stripe's own parameter sets, used to read a form: names, types and the closed lists of values.
import { readFileSync } from 'node:fs'
import { type Form, type FormObject } from './http/form.ts'
import { refused } from './http/errors.ts'

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

/** Reads the committed schema file: names to JSON Schemas with `$ref: #/$defs/<name>`. */
export function readSchemas(): { roots: Record<string, string>; defs: Record<string, Schema> } {
  const file = new URL('./schemas/stripe-2026-10-28.endive.ndjson', import.meta.url)
  const [head = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const defs: Record<string, Schema> = {}
  for (const line of lines) {
    const { name, schema } = JSON.parse(line) as { name: string; schema: Schema }
    defs[name] = schema
  }
  return { roots: (JSON.parse(head) as { roots: Record<string, string> }).roots, defs }
}

const { defs } = readSchemas()
const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (defs[schema.$ref.slice('#/$defs/'.length)] ?? {})

/** Parameters that this API version has removed, with Stripe's error code. */
const REMOVED: Record<string, [code: string, words: string]> = {
  payment_method_types: [
    'payment_method_types_no_longer_supported',
    'The `payment_method_types` parameter is no longer supported. Use `allowed_payment_method_types` ' +
      'instead, or remove it to use the payment methods of your Dashboard settings.',
  ],
}

function child(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}[${name}]`
}

function options(schema: Schema): Schema[] {
  const known = resolve(schema)
  return known.anyOf ? known.anyOf.flatMap(options) : [known]
}

function readString(value: string, among: Schema[], path: string): unknown {
  if (value === '') {
    // An empty value unsets where the type allows null or ''.
    if (among.some((one) => one.type === 'null' || one.enum?.includes(''))) return null
    throw refused(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; ` +
        `however '${path}' cannot be unset. You should remove '${path}' from your request or supply a ` +
        `non-empty value.`,
      { code: 'parameter_invalid_empty', param: path },
    )
  }
  const closed = among.flatMap((one) => (one.type === 'string' && one.enum ? one.enum : []))
  if (closed.includes(value)) return value
  for (const one of among) {
    if (one.type === 'string' && !one.enum) return value
    if (one.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
    if (one.type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  }
  if (among.some((one) => one.type === 'number')) {
    throw refused(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: path })
  }
  if (among.some((one) => one.type === 'boolean')) throw refused(`Invalid boolean: ${value}`, { param: path })
  if (closed.length > 0) {
    const names = closed.filter((one) => one !== '').map(String)
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}` : names[0]
    throw refused(`Invalid ${path}: must be one of ${list}`, { param: path })
  }
  const what = among.some((one) => one.type === 'array') ? 'array' : 'object'
  throw refused(`Invalid ${what}`, { param: path })
}

function readObject(value: FormObject, schema: Schema, path: string): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const extra = schema.additionalProperties
  for (const [name, inner] of Object.entries(value)) {
    const here = child(path, name)
    const known = schema.properties?.[name]
    if (known) out[name] = readValue(inner, known, here)
    else if (typeof extra === 'object')
      out[name] = readValue(inner, Object.keys(extra).length ? extra : { type: 'string' }, here)
    else if (path === '' && REMOVED[name]) throw refused(REMOVED[name][1], { code: REMOVED[name][0], param: name })
    else throw refused(`Received unknown parameter: ${here}`, { code: 'parameter_unknown', param: here })
  }
  for (const name of schema.required ?? []) {
    if (!(name in out)) {
      const here = child(path, name)
      throw refused(`Missing required param: ${here}.`, { code: 'parameter_missing', param: here })
    }
  }
  return out
}

function readValue(value: Form, schema: Schema, path: string): unknown {
  const among = options(schema)
  if (typeof value === 'string') return readString(value, among, path)
  if (Array.isArray(value)) {
    const array = among.find((one) => one.type === 'array')
    if (array) return value.map((one, index) => readValue(one, array.items ?? {}, child(path, index)))
    throw refused(`Invalid ${among[0]?.type ?? 'value'}`, { param: path })
  }
  const objects = among.filter((one) => one.type === 'object')
  if (objects.length === 0) throw refused(`Invalid ${among[0]?.type ?? 'value'}`, { param: path })
  let failure: unknown
  for (const object of objects) {
    try {
      return readObject(value, object, path)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** Parameters of every list. */
const LISTING: Record<string, Schema> = {
  limit: { type: 'number' },
  starting_after: { type: 'string' },
  ending_before: { type: 'string' },
  created: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/RangeQueryParam' }] },
}
const EXPAND: Schema = { type: 'array', items: { type: 'string' } }

/** A custom parameter set for an endpoint that is not in the schema file. */
export function fields(properties: Record<string, Schema | string>, required: string[] = []): Schema {
  const full: Record<string, Schema> = { expand: EXPAND }
  for (const [name, type] of Object.entries(properties)) full[name] = typeof type === 'string' ? named(type) : type
  return { type: 'object', properties: full, required }
}

function named(type: string): Schema {
  return ['string', 'number', 'boolean'].includes(type) ? { type } : { $ref: `#/$defs/${type}` }
}

/** The parameter set of a list endpoint: paging, `created` and the filters named. */
export function listing(filters: Record<string, Schema | string> = {}): Schema {
  return fields({ ...LISTING, ...filters })
}

/**
 * Reads a form by a parameter set (a name from the schema file or a schema of our own). Throws Stripe's 400:
 * `parameter_unknown`, `parameter_missing`, `parameter_invalid_integer`, `parameter_invalid_empty`.
 */
export function readParams(form: FormObject, set: string | Schema): Record<string, unknown> {
  const schema = typeof set === 'string' ? defs[set] : set
  if (!schema) throw new Error(`no parameter set ${String(set)}`)
  return readObject(
    form,
    schema.properties?.['expand'] ? schema : { ...schema, properties: { ...schema.properties, expand: EXPAND } },
    '',
  )
}
