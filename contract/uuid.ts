/** A UUID in any version: our ids, which names and links must not carry by accident. */
const PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A text that is a UUID. */
export const UUID = new RegExp(`^${PATTERN}$`, 'i')

/** Every UUID in a text; for `replace`, and for `search`, not for `test`, which would remember where it was. */
export const UUIDS = new RegExp(PATTERN, 'gi')
