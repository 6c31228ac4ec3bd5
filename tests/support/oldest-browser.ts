/** What the oldest browsers that the product promises (src/site/oldest-browsers.ts) do not have, by MDN's data. */
import bcd, { type Identifier, type SimpleSupportStatement } from '@mdn/browser-compat-data' with { type: 'json' }
import { OLDEST_BROWSERS } from '../../src/site/oldest-browsers.ts'

/** MDN's names of the same browsers; Android's WebView is what apps like Instagram and Facebook open links in. */
const AT_MDN = {
  chrome: ['chrome', 'chrome_android', 'webview_android'],
  edge: ['edge'],
  firefox: ['firefox'],
  safari: ['safari'],
  ios: ['safari_ios'],
} as const

const isIn = (version: string, { version_added: added, ...rest }: SimpleSupportStatement): boolean =>
  typeof added === 'string' &&
  added !== 'preview' &&
  !rest.prefix &&
  !rest.alternative_name &&
  !rest.flags &&
  Number.parseFloat(added.replace('≤', '')) <= Number.parseFloat(version)

const { builtins } = bcd.javascript

/** The oldest browsers that lack a feature; none where MDN says nothing of it. */
export function lacking(feature: Identifier | undefined): string[] {
  const support = feature?.__compat?.support
  if (!support) return []
  return Object.entries(OLDEST_BROWSERS).flatMap(([name, version]) =>
    AT_MDN[name as keyof typeof AT_MDN]
      .filter((one) => {
        const said = support[one]
        return said !== undefined && ![said].flat().some((statement) => isIn(version, statement))
      })
      .map((one) => `${one} ${version}`),
  )
}

/** MDN's entry of a member (or of the thing itself) of a browser's API or of the language. */
export function featureOf(owner: string, member?: string): Identifier | undefined {
  for (const things of [bcd.api, builtins, builtins?.['Intl']]) {
    const thing = things?.[owner]
    const found = member === undefined ? thing : (thing?.[member] ?? thing?.[`${member}_static`])
    if (found) return found
  }
  return undefined
}

/** Every member of an API and of the language that one of the oldest browsers lacks: `[owner, member, is static]`. */
export function missingMembers(): [owner: string, member: string | null, isStatic: boolean][] {
  return [bcd.api, builtins].flatMap((things) =>
    Object.entries(things ?? {}).flatMap(([owner, thing]): [string, string | null, boolean][] => {
      if (lacking(thing as Identifier).length > 0) return [[owner, null, false]]
      return Object.entries(thing as Identifier)
        .filter(([, feature]) => lacking(feature as Identifier).length > 0)
        .map(([name]) => [owner, name.replace(/_(static|event)$/, ''), name.endsWith('_static')])
    }),
  )
}
