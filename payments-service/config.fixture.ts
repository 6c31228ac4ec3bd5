import { ConfigError, readConfig } from './config.ts'

/** What an environment is refused for; nothing where it is a configuration. */
export function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
