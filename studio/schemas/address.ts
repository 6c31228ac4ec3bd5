/** Long enough for a headline's first words. */
const LONGEST = 60

/** Words as a part of an address: small letters, digits and hyphens; words that are cut off are left out. */
export function addressFrom(words: string): string {
  const all = words
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’']/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  while (all.length > 1 && all.join('-').length > LONGEST) all.pop()
  return all.join('-').slice(0, LONGEST)
}
