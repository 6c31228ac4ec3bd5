/** D-07: what a user agent says about device, browser and system, in the few words that reports group by. */
export function describeUserAgent(agent: string): { deviceType: string; browser: string; os: string } {
  const first = (pairs: readonly (readonly [string, RegExp])[]): string =>
    pairs.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'Other'
  const os = first([
    ['iOS', /iPhone|iPad|iPod/],
    ['Android', /Android/],
    ['Windows', /Windows/],
    ['ChromeOS', /CrOS/],
    ['macOS', /Mac OS X/],
    ['Linux', /Linux/],
  ])
  const browser = first([
    ['Facebook', /FBAN|FBAV/],
    ['Instagram', /Instagram/],
    ['Edge', /Edg/],
    ['Opera', /OPR/],
    ['Samsung Internet', /SamsungBrowser/],
    ['Firefox', /Firefox|FxiOS/],
    ['Chrome', /Chrome|CriOS/],
    ['Safari', /Safari/],
  ])
  const deviceType = /iPad|Tablet|Android(?!.*Mobile)/.test(agent)
    ? 'tablet'
    : /Mobi|iPhone/.test(agent)
      ? 'mobile'
      : 'desktop'
  return { deviceType, browser, os }
}
