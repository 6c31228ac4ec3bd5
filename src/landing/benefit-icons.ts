/** Drawn icons of the four benefits, in their order; a fifth starts over (24 px grid, strokes). */
export const BENEFIT_ICONS = [
  // a clock face at five minutes
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4v5l3-3.5',
  // headphones
  'M4 15v-2a8 8 0 0 1 16 0v2M4 15h3v5H5a1 1 0 0 1-1-1Zm16 0h-3v5h2a1 1 0 0 0 1-1Z',
  // a calendar with a tick
  'M4 6h16v14H4ZM4 10h16M8 3v4M16 3v4M9 15l2.5 2.5L16 13',
  // a drop, crossed out
  'M12 4c3 4 5 6.5 5 9.5a5 5 0 0 1-10 0C7 10.5 9 8 12 4ZM4 4l16 16',
] as const
