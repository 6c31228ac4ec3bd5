/** The same for the development server. */
import { Fragment, jsxDEV as one } from 'react/jsx-dev-runtime'
import { apart } from './apart.ts'

export { Fragment }

export const jsxDEV: typeof one = (type, props, key, isStatic, source, self) => {
  if (!isStatic) return one(type, props, key, isStatic, source, self)
  const children = apart(type, (props as { children: Parameters<typeof apart>[1] }).children)
  return one(type, { ...(props as object), children }, key, Array.isArray(children), source, self)
}
