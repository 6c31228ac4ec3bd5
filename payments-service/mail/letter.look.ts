/** The product's design tokens, as far as mail clients support them. */
export const INK = '#0B1B33'
export const QUIET = '#44546A'
export const LINK = '#0B57D0'
export const LINE = '#DCE5F2'
export const SURFACE = '#F5F8FF'
export const PRIMARY = '#1A75FF'
export const CAUTION = '#9A5B00'
export const FONT = "Figtree, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
