// Files the sandbox serves to browsers: the stand-in for Stripe.js, built on first request, and one style sheet.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const bundles = new Map<string, Promise<string>>()

/** A browser script of `browser/` as one classic script. Built on first request, once per process. */
export function browserBundle(name: 'main' | 'operator'): Promise<string> {
  const known = bundles.get(name)
  if (known) return known
  const built = build({
    entryPoints: [fileURLToPath(new URL(`../browser/${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  }).then((result) => result.outputFiles[0]?.text ?? '')
  bundles.set(name, built)
  built.catch(() => bundles.delete(name))
  return built
}

export const SANDBOX_CSS = `
:root { color-scheme: light; --ink: #1a1f36; --line: #d8dee4; --blue: #0f5fdb; --soft: #f6f8fa; }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff }
main { padding: 1.5rem; max-width: 90rem; margin: 0 auto }
main.card { max-width: 30rem; margin: 8vh auto; border: 1px solid var(--line); border-radius: 12px }
h1 { font-size: 1.4rem; margin: 0 0 .5rem }
h2 { font-size: 1.1rem; margin: 0 0 .5rem }
.amount { font-size: 1.25rem; font-weight: 600 }
button { font: inherit; min-height: 44px; padding: .4rem 1rem; margin: .25rem .5rem .25rem 0; border: 1px solid #8792a2;
border-radius: 8px; background: #fff; color: inherit; cursor: pointer }
button.primary { background: var(--blue); border-color: var(--blue); color: #fff }
button:focus-visible, select:focus-visible, input:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px
solid var(--blue); outline-offset: 2px }
select, input { font: inherit; min-height: 44px; padding: .3rem .6rem; border: 1px solid #8792a2; border-radius: 8px;
max-width: 100% }
label { display: inline-flex; flex-direction: column; font-size: .875rem; margin: 0 .75rem .5rem 0 }
section { border: 1px solid var(--line); border-radius: 12px; padding: 1rem; margin: 1rem 0; overflow-x: auto }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)) }
.grid section { margin: 0 }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
pre { font-size: .8125rem; background: var(--soft); padding: .75rem; border-radius: 8px; overflow: auto; max-height:
30rem; margin: .5rem 0 }
summary { cursor: pointer }
.note { font-size: .875rem; color: #4f566b }
@media (max-width: 480px) { main { padding: 1rem } main.card { margin: 1rem } }
`
