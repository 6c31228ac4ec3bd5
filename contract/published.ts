/** What of a dataset is on the site, or waits to be, as the content lake can tell it (GROQ), and that it is away. */

/** What editors write: neither Sanity's own documents, such as uploads, nor the publisher's report `site.status`. */
export const IS_WRITTEN = '_type != "siteStatus" && !(_type match "system.*") && !(_type match "sanity.*")'

/** Everything a page may be made of. A picture that a page shows is named in the document that shows it. */
export const IS_CONTENT = `!(_id in path("drafts.**")) && !(_id in path("versions.**")) && ${IS_WRITTEN}`

/** In what a build prints whose content could not be read: its publisher then tells editors of no fault. */
export const LAKE_AWAY = '[content-lake-away]'

/** Whether the lake is away, by the HTTP status of its answer, if it gave one. One that refuses (4xx) is there. */
export const isAway = (status: unknown): boolean => typeof status !== 'number' || status >= 500 || status === 429

/** Inside the report: what was published first since the publisher last looked, and for how many seconds it waits. */
export const WAITING =
  `*[${IS_CONTENT} && dateTime(_updatedAt) > dateTime(^.at) && ` +
  'dateTime(_updatedAt) > dateTime(coalesce(^.goodAt, ^.at))] | ' +
  'order(_updatedAt)[0]{"since": _updatedAt, "seconds": dateTime(now()) - dateTime(_updatedAt)}'
