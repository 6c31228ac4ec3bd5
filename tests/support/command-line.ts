/** The command lines of tests that are commands; commander refuses what they do not have, naming it. */
import { Command, InvalidArgumentError } from 'commander'

/** The options that every run has which goes through named cases in full or in short. */
export interface RunOptions<T> {
  quick: boolean
  /** Those that were asked for; undefined for all. */
  case?: readonly T[]
  seed: number
  /** A file. */
  report?: string
}

/** A command with {@link RunOptions}; `quick` says what its short form leaves out. */
export function runOf<T extends { name: string }>(
  all: readonly T[],
  { name, description, quick }: { name: string; description: string; quick: string },
): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .option('--quick', `${quick} (runs in npm test)`, false)
    .option('--case <names>', 'only what has one of these in its name: a,b', called(all))
    .option('--seed <n>', 'replays what a run with this seed drew', atLeast(0), Date.now() % 1_000_000)
    .option('--report <file>', 'writes the table as JSON')
    .showHelpAfterError()
}

/** A number of this or more. */
export const atLeast =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value >= least) return value
    throw new InvalidArgumentError(`A number from ${least} on.`)
  }

/** `a,b`: those whose name contains one of these texts; each text has to find one. */
const called =
  <T extends { name: string }>(all: readonly T[]) =>
  (texts: string): T[] => {
    const wanted = texts.split(',')
    const nothing = wanted.filter((text) => !all.some(({ name }) => name.includes(text)))
    if (nothing.length === 0) return all.filter(({ name }) => wanted.some((text) => name.includes(text)))
    throw new InvalidArgumentError(
      `Nothing is called ${nothing.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`,
    )
  }
