/** What the options of tests that are commands are read as; commander refuses the rest, naming the option. */
import { InvalidArgumentError } from 'commander'

/** A number of this or more. */
export const atLeast =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value >= least) return value
    throw new InvalidArgumentError(`A number from ${least} on.`)
  }

/** `a,b`: those whose name contains one of these texts; each text has to find one. */
export const called =
  <T extends { name: string }>(all: readonly T[]) =>
  (texts: string): T[] => {
    const wanted = texts.split(',')
    const nothing = wanted.filter((text) => !all.some(({ name }) => name.includes(text)))
    if (nothing.length === 0) return all.filter(({ name }) => wanted.some((text) => name.includes(text)))
    throw new InvalidArgumentError(
      `Nothing is called ${nothing.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`,
    )
  }
