import { startTestServer } from './postgres.ts'

/** One PostgreSQL for all workers of a run; its address reaches them through the environment. */
export default async function setup(): Promise<() => Promise<void>> {
  return startTestServer()
}
