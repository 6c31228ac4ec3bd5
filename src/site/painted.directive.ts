import type { ClientDirective } from 'astro'
import { whenPainted } from './when-painted.ts'

/** `client:painted`: an island that hydrates right after the first paint, never before it. */
const painted: ClientDirective = (load) =>
  whenPainted(() => {
    void load().then((hydrate) => hydrate())
  })
export default painted
