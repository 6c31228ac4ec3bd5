/** How commands end when something is wrong. */

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
