/**
 * Whether the service would start with these variables: ends with 1 and says each that is missing or wrong. Asks nobody
 * and opens nothing, so `npm start` knows before any program runs.
 */
import { ConfigError, readConfig } from './config.ts'

try {
  readConfig(process.env)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.problems.join('\n'))
  process.exitCode = 1
}
