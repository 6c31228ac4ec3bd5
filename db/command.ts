/** What commands share: who runs one, and how it ends when something is wrong. */
import { userInfo } from 'node:os'

/** The person at this command line; sudo and the units' wrapper (docs/ops/systemd/eye-funnel) name them. */
export function whoAmI(): string {
  if (process.env['SUDO_USER']) return process.env['SUDO_USER']
  try {
    return userInfo().username
  } catch {
    // in a container the user may have no name
    return 'operator'
  }
}

/** What is wrong, in words. Of an address at which nobody answers, Node says only what was tried. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Does a command's work. What it throws is said in its own words, without a trace, and the command ends with 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  }
}
