import { messageOf } from '../db/command.ts'

/** The programs that are running: what was started last is stopped first, and the process ends with the last one. */
export interface Parts {
  add(part: Part): void
  /** This part is needed by all others, so it is stopped last. */
  addFirst(part: Part): void
  names(): Set<string>
  /** The end has begun: nothing new is to be started. */
  ending(): Promise<void> | undefined
  /** Stops all parts and ends this process with `code`, or with 1 when a part does not stop. */
  end(code: number): Promise<void>
}

interface Part {
  name: string
  stop(): Promise<void>
}

/** No parts yet. `onStopped` runs when all of them have stopped, before the process ends. */
export function createParts(onStopped: () => void): Parts {
  const started: Part[] = []
  let ending: Promise<void> | undefined

  async function stopAll(code: number): Promise<void> {
    for (const part of started.reverse()) {
      await part.stop().catch((error: unknown) => {
        console.error(`${part.name}: ${messageOf(error)}`)
        code = 1
      })
    }
    onStopped()
    process.exit(code)
  }

  return {
    add: (part) => void started.push(part),
    addFirst: (part) => void started.unshift(part),
    names: () => new Set(started.map(({ name }) => name)),
    ending: () => ending,
    end: (code) => (ending ??= stopAll(code)),
  }
}
