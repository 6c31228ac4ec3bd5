/** What of a dataset is on the site, or waits to be, as the content lake can tell it (GROQ), and that it is away. */

/** Everything a page may be made of; the publisher's report, the document `site.status`, is not. */
export const IS_CONTENT =
  '!(_id in path("drafts.**")) && !(_id in path("versions.**")) && _type != "siteStatus" && ' +
  '!(_type match "system.*") && !(_type match "sanity.*")'

/** In what a build prints whose content could not be read: its publisher then tells editors of no fault. */
export const LAKE_AWAY = '[content-lake-away]'

/** Whether the lake is away, by the HTTP status of its answer, if it gave one. One that refuses (4xx) is there. */
export const isAway = (status: unknown): boolean => typeof status !== 'number' || status >= 500 || status === 429

/** Inside the report: what was published first since the publisher last looked, and for how many seconds it waits. */
export const WAITING =
  `*[${IS_CONTENT} && dateTime(_updatedAt) > dateTime(^.at) && ` +
  'dateTime(_updatedAt) > dateTime(coalesce(^.goodAt, ^.at))] | ' +
  'order(_updatedAt)[0]{"since": _updatedAt, "seconds": dateTime(now()) - dateTime(_updatedAt)}'
