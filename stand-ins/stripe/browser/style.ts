// The `style` option of an element as a style sheet (no inline styles, so a strict policy holds).
export type Css = { [name: string]: string | Css | undefined }
export type StyleOption = { base?: Css; complete?: Css; empty?: Css; invalid?: Css }

const ALLOWED = new Set([
  'background-color',
  'color',
  'font-family',
  'font-size',
  'font-smoothing',
  '-webkit-font-smoothing',
  '-moz-osx-font-smoothing',
  'font-style',
  'font-variant',
  'font-weight',
  'letter-spacing',
  'line-height',
  'padding',
  'text-align',
  'text-decoration',
  'text-shadow',
  'text-transform',
  'caret-color',
  'icon-color',
])
const kebab = (name: string): string =>
  name.startsWith('-') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function addRule(sheet: CSSStyleSheet, selector: string, css: Css): void {
  const index = sheet.insertRule(`${selector} {}`, sheet.cssRules.length)
  const rule = sheet.cssRules[index] as CSSStyleRule
  for (const [name, value] of Object.entries(css)) {
    if (typeof value === 'string') {
      if (ALLOWED.has(kebab(name))) rule.style.setProperty(kebab(name), value)
    } else if (value && /^::?[a-z-]+$/.test(name)) {
      addRule(sheet, `${selector}${name}`, value)
    }
  }
}

/** Builds the sheet. Unknown properties are ignored, as in Stripe.js. */
export function elementSheet(style: StyleOption | undefined): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    :host { display: block }
    .fields { display: flex; flex-wrap: wrap; gap: .5rem }
    .fields > label { flex: 1 1 5rem; min-width: 5rem }
    .fields > label.wide { flex-basis: 100% }
    .fields span { display: block; font: .875rem system-ui, sans-serif; color: #30313d; margin-bottom: .25rem }
    .fields input { border: 1px solid #8792a2; border-radius: 6px; padding: .75rem; min-height: 44px }
    .fields input:focus { outline: 3px solid #1a75ff; outline-offset: 1px }
    fieldset { border: 0; padding: 0; margin: 0 0 .75rem }
    legend { font: .875rem system-ui, sans-serif }
    fieldset label { display: inline-flex; align-items: center; gap: .4rem; margin-right: 1rem; min-height: 44px; font:
      1rem system-ui, sans-serif }
    input[type=text] { all: unset; box-sizing: border-box; display: block; width: 100%; font: 16px/1.2 system-ui,
      sans-serif; color: #30313d; min-height: 1.2em }
    .fields input[type=text] { border: 1px solid #8792a2; border-radius: 6px; padding: .75rem; min-height: 44px }
    .fields input[type=text]:focus { outline: 3px solid #1a75ff; outline-offset: 1px }
    input[type=text]::placeholder { color: #6d7380; opacity: 1 }
    input[type=text].invalid { color: #b3093c }
    input[type=text]:disabled { cursor: not-allowed; opacity: .6 }
    [hidden] { display: none }
  `)
  if (!style) return sheet
  if (style.base) addRule(sheet, 'input[type=text]', style.base)
  for (const state of ['complete', 'empty', 'invalid'] as const) {
    const css = style[state]
    if (css) addRule(sheet, `input[type=text].${state}`, css)
  }
  return sheet
}
