/** A tool that is started before it is needed, because much of its time is spent on loading. */
import type { Tool } from './processes.ts'

export interface Wanted {
  /** Names all that it was started with: one that waits serves the same alone. */
  as: string
  start: () => Tool
}

export function readyTool(waitsMs: number) {
  let ready: { tool: Tool; as: string } | undefined
  let last: Wanted | undefined
  return {
    /** The one that waits for just this, or a new one. */
    take(wanted: Wanted): Tool {
      const found = ready
      last = wanted
      ready = undefined
      if (found?.tool.child.connected && found.as === wanted.as) return found.tool
      found?.tool.child.kill()
      return wanted.start()
    },
    /** Starts one like the last, for what is likely to follow; it ends when nothing does for a while. */
    prepare(): void {
      if (!last || ready?.tool.child.connected) return
      const next = { tool: last.start(), as: last.as }
      ready = next
      setTimeout(() => ready === next && next.tool.child.kill(), waitsMs).unref()
    },
  }
}
