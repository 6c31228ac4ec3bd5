/** What the build compiles JSX to (astro.config.mjs): React's, with each text alone in its element. */
import { Fragment, jsx, jsxs as several } from 'react/jsx-runtime'
import { apart } from './apart.ts'

export { Fragment, jsx }

/** An element with several children. */
export const jsxs: typeof several = (type, props, key) => {
  const children = apart(type, (props as { children: Parameters<typeof apart>[1] }).children)
  return (Array.isArray(children) ? several : jsx)(type, { ...(props as object), children }, key)
}
