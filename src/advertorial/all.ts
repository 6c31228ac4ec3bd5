import type { AdvertorialContent } from '../../contract/content.ts'
import { getAdvertorials } from '../cms/content.ts'

/** Long enough for the routes of one build to share an answer, short enough that an editor's watcher sees every change. */
const FRESH_MS = import.meta.env.DEV ? 0 : 2_000

let recent: { articles: Promise<AdvertorialContent[]>; until: number } | undefined

/** All advertorials, fetched and parsed once for all routes of a build: there may be thousands. */
export function allAdvertorials(): Promise<AdvertorialContent[]> {
  if (recent && Date.now() < recent.until) return recent.articles
  const fetched = { articles: getAdvertorials(), until: Infinity }
  recent = fetched
  fetched.articles.then(
    () => (fetched.until = Date.now() + FRESH_MS),
    () => (fetched.until = 0),
  )
  return fetched.articles
}
