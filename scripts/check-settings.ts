/** What is wrong with what was configured, said before anything is started. */
import { isDeepStrictEqual } from 'node:util'
import { withSecretFiles } from '../db/secret-files.ts'
import { runTool } from './processes.ts'
import { service, type World } from './programs.ts'

/** Stands for the embedded database, whose port is not known yet. */
const SOME_DATABASE = 'postgres://127.0.0.1/funnel'

/** The variables with every secret that stands in a file. Throws what is wrong with those. */
export function withSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { given, problems } = withSecretFiles(environment)
  if (problems.size > 0) throw refusal([...problems.values()])
  return { ...given }
}

/**
 * Throws, naming each variable that the service would refuse or that belongs to one which is not set. Where nothing is
 * configured there is nothing to be wrong.
 */
export async function checkSettings(world: World): Promise<void> {
  const { configured } = world
  const alone = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'].filter((name) => configured[name])
  if (alone.length > 0 && !configured['STRIPE_SECRET_KEY']) {
    throw refusal([`STRIPE_SECRET_KEY is missing: ${alone.join(' and ')} would have no account`])
  }
  const env = variables(world)
  if (isDeepStrictEqual(env, variables({ ...world, configured: {}, databaseUrl: '' }))) return
  const { ok, output } = await runTool(['payments-service/settings.command.ts'], { env, bare: true })
  if (!ok) throw refusal(output.split('\n'))
}

function variables(world: World): Record<string, string> {
  const { configured } = world
  return {
    ...service({ ...world, databaseUrl: world.databaseUrl || SOME_DATABASE }).env,
    ...(configured['NODE_ENV'] ? { NODE_ENV: configured['NODE_ENV'] } : {}),
  }
}

const refusal = (problems: readonly string[]): Error =>
  new Error(
    `Nothing was started. In .env or the environment:\n${problems.map((one) => `  - ${one}\n`).join('')}` +
      'README, "Configuration", says what each is. npm start is for development: docs/deploy.md is for production.',
  )
