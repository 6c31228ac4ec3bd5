import type { Settings } from '../../contract/content.ts'

/** A value as the text of a script element: an unescaped `<` would begin markup, or end the element early. */
export function jsonInMarkup(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The organisation behind the site (schema.org). `site` is its public address, where known. */
export function organisation(
  settings: Pick<Settings, 'brandName' | 'company' | 'contactEmail'>,
  description: string,
  site: URL | undefined,
): object {
  const home = site?.href ?? '/'
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: settings.brandName, url: home, description },
      {
        '@type': 'Organization',
        name: settings.company.name,
        brand: settings.brandName,
        email: settings.contactEmail,
        url: home,
        ...(site ? { logo: new URL('/icon-512.png', site).href } : {}),
      },
    ],
  }
}
