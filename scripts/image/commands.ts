/** What the image can run, bundled into one folder: the service, and the commands that an operator runs beside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { root } from '../settings.ts'

/** Of npm's scripts, by the same names. */
const OPERATORS = [
  ...['migrate', 'doctor', 'operator:create', 'stripe:setup', 'backup', 'restore'],
  ...['money-back', 'price-change', 'tax-export', 'privacy'],
]

/** What npm's script of this name runs with the settings of `.env`: a program, with its arguments if it has any. */
export function programOf(name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [, program] = /^node --env-file-if-exists=\.env (\S+\.ts(?: \S+)*)$/.exec(scripts[name] ?? '') ?? []
  if (!program) throw new Error(`package.json: "${name}" is no command of an operator`)
  return program
}

/** Each command and its program; the service is `service`. */
export function commands(): Record<string, string> {
  const alone = (name: string): string => {
    const program = programOf(name)
    if (program.includes(' ')) throw new Error(`package.json: "${name}" is no command that the image can run`)
    return program
  }
  return {
    service: 'payments-service/main.ts',
    ...Object.fromEntries(OPERATORS.map((name) => [name, alone(name)])),
  }
}

/** A command is its program's first argument; the program sees the others as if it had been started by itself. */
const chooser = (programs: Record<string, string>): string => `
  import { fileURLToPath } from 'node:url'
  const commands = {${Object.entries(programs)
    .map(([name, file]) => `'${name}': ['${file}', () => import('./${file}')],`)
    .join('\n')}}
  const [name = 'service', ...rest] = process.argv.slice(2)
  if (!Object.hasOwn(commands, name)) {
    console.error('Commands: ' + Object.keys(commands).join(', '))
    process.exit(2)
  }
  const [file, run] = commands[name]
  process.argv = [process.argv[0], fileURLToPath(new URL(file, import.meta.url)), ...rest]
  await run()`

/** Our modules keep addresses of their own: some of them check whether they are the main program. */
const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      if (path.includes('node_modules') || !code.includes('import.meta.url')) return undefined
      const file = JSON.stringify(path.slice(root.length).replace(/^\/+/, ''))
      return { contents: code.replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`), loader: 'ts' }
    })
  },
}

/** Parts of their own, as they are loaded on demand; such a part of a CommonJS package has a default export alone. */
const LAZY = {
  /** Has an ES module beside it. */
  asModule: { '@zxcvbn-ts/language-common': join(root, 'node_modules/@zxcvbn-ts/language-common/dist/index.mjs') },
  /** Its importer looks for the default export. */
  byDefault: /\/react-dom\//,
  /** Which machine this is does not matter. */
  unused: /\/machine-id\//,
}

/** Throws for a package whose names an importer would not find. */
function checkLazy({ inputs }: Metafile): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { kind, path } of imports) {
      if (kind !== 'dynamic-import' || inputs[path]?.format !== 'cjs' || LAZY.byDefault.test(path)) continue
      if (LAZY.unused.test(path)) continue
      throw new Error(`${file} loads ${path} on demand: in the bundle it would have no names`)
    }
  }
}

/** Writes `main.js` and its parts into a folder; returns the folders of the packages that are in them. */
export async function bundleCommands(folder: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: chooser(commands()), resolveDir: root, sourcefile: 'main.js' },
    entryNames: 'main',
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['pg-native'],
    alias: LAZY.asModule,
    plugins: [addresses],
    metafile: true,
    logLevel: 'error',
    // CommonJS packages in the bundle find `require` here
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
  })
  checkLazy(metafile)
  const packages = Object.keys(metafile.inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
  )
  return [...new Set(packages)].sort()
}
