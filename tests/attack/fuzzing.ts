import fc from 'fast-check'
import { type Attack, fill, visit } from './attack.ts'
import { bodyWith, type Endpoint, placesOf, repeated, SHAPES } from './schema.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(...SHAPES).map((shape) => repeated(shape, 2_000)),
  fc.constantFrom(
    '\0',
    '\ud800',
    "'; drop table sessions; --",
    '../../etc/passwd',
    '${7*7}',
    '<img src=x onerror=1>',
    '1e999',
    '٣',
    '=1+1',
  ),
)
/** Anything that JSON can hold, in place of what a field expects. */
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constantFrom(null, true, [], {}, [[]], -1, 0, 2 ** 53, 1e308, '2026-02-30T25:61:61Z'),
)

function bodyFor(endpoint: Endpoint): fc.Arbitrary<unknown> {
  if (!endpoint.body) return fc.constant(undefined)
  const schema = endpoint.body
  const places = placesOf(schema)
  const [first] = places
  if (!first) return anything
  const near = fc
    .tuple(fc.constantFrom(first, ...places), anything)
    .map(([place, value]) => bodyWith(schema, place, value))
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: anything })
}

/** Sends every endpoint input that almost fits. */
export const fuzzing: Attack = {
  name: 'fuzzing',
  title: 'nothing that is sent to an endpoint is a server error or takes long',
  async run(run) {
    const { target } = run
    const violations: string[] = []
    const own = await visit(run)
    let tried = 0
    for (const endpoint of await target.endpoints()) {
      const parameter = fc.oneof(fc.constant(own.sessionId), fc.constant(crypto.randomUUID()), text)
      const property = fc.asyncProperty(bodyFor(endpoint), parameter, parameter, async (body, one, two) => {
        tried += 1
        const parameters = Object.fromEntries(
          endpoint.parameters.map((name, at) => [name, (at ? two : one).toWellFormed()]),
        )
        const path = fill(endpoint.path, parameters)
        const headers = {
          ...own.headers,
          'x-forwarded-for': `203.${3 + (tried >> 16)}.${(tried >> 8) % 250}.${tried % 250}`,
        }
        const reply =
          body === undefined
            ? await target.send({ method: endpoint.method, path, headers })
            : await target.json(endpoint.method, path, body, headers)
        if (reply.status >= 500 && reply.status !== 502 && reply.status !== 503) throw new Error(`${reply.status}`)
        if (reply.milliseconds > 5_000) throw new Error(`${Math.round(reply.milliseconds)} ms`)
      })
      try {
        await fc.assert(property, { numRuns: run.count(300, 6), seed: run.random.below(2 ** 31), endOnFailure: true })
      } catch (error) {
        violations.push(`${endpoint.method} ${endpoint.path}: ${String(error).replace(/\s+/g, ' ').slice(0, 300)}`)
      }
    }
    return { violations, tried: `${tried} requests` }
  },
}
