import { existsSync } from 'node:fs'

/** The system font that the pages fall back to on Linux (`src/site`, “Figtree fallback”), where a machine lacks it. */
export const missingFonts = (): string[] =>
  ['liberation', 'liberation2'].some((folder) =>
    existsSync(`/usr/share/fonts/truetype/${folder}/LiberationSans-Regular.ttf`),
  )
    ? []
    : ['fonts-liberation']
