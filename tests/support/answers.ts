/** Checks every answer that a test receives against the contract: a shape that drifts fails the test that sees it. */
import { z } from 'zod'
import { errorBody } from '../../contract/api/error.ts'
import { type EndpointName, shapes } from '../../contract/api/shapes.ts'
import { wholeApi } from '../../contract/whole-api.ts'

const endpoints = (Object.keys(wholeApi) as EndpointName[])
  .map((name) => {
    const { method, path } = wholeApi[name]
    return { name, method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), fixed: !path.includes('{') }
  })
  // as in the service, an address without parameters wins
  .sort((a, b) => Number(b.fixed) - Number(a.fixed))

/**
 * Throws when an answer does not have the shape that the contract gives it: the endpoint's own up to 399, an error's
 * from 400 on. Addresses that are not endpoints pass.
 */
export function checkAnswer(method: string, address: string, status: number, answer: unknown): void {
  const path = address.replace(/\?.*/, '')
  const found = endpoints.find((one) => one.method === method && one.path.test(path))
  if (!found) return
  const parsed = (status < 400 ? shapes[found.name].answer : errorBody).safeParse(answer)
  if (parsed.success) return
  throw new Error(`${found.name} answered ${status} in another shape than its own:\n${z.prettifyError(parsed.error)}`)
}
