import { startTestServer } from './postgres.ts'

/** Before the workers: they inherit the server's address in their environment. */
export default async function setup(): Promise<() => Promise<void>> {
  return startTestServer()
}
