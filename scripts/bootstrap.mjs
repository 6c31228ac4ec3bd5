/**
 * Runs before anything is installed, under any Node from 20 on, without dependencies: installs exactly what the
 * lockfile says if anything else is there, then runs the given script under the project's own Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const ownNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
const marker = join(root, 'node_modules', '.install-hash')

/** @param {string} script a TypeScript file of this folder */
export async function bootstrap(script) {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 20)
    fail(`This needs Node 20 or newer to begin with; this is ${process.versions.node}. https://nodejs.org`)
  process.chdir(root)
  install()
  const file = join(root, 'scripts', script)
  // npm puts node_modules/.bin first, so this already is the project's Node, except on the very first run.
  if (process.versions.node === installedNode()) {
    whenParentDies(() => process.kill(process.pid, 'SIGTERM'))
    await import(pathToFileURL(file).href)
    return
  }
  const path = `${join(root, 'node_modules', '.bin')}${windows ? ';' : ':'}${process.env.PATH ?? ''}`
  const lifeline = new URL('./lifeline.mjs', import.meta.url).href
  const child = spawn(ownNode, ['--import', lifeline, file, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: path, LIFELINE_OF: String(process.pid) },
  })
  whenParentDies(() => child.kill('SIGTERM'))
  // Ctrl-C reaches the child directly; this process only waits for it. A SIGTERM is passed on.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

/**
 * npm runs us through a shell that does not pass SIGTERM on: without this, a killed `npm start` would leave us running.
 * @param {() => void} end
 */
function whenParentDies(end) {
  const parent = process.ppid
  // without npm in between, outliving the parent may be intended (`nohup`)
  if (!process.env.npm_lifecycle_event) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 500)
  timer.unref()
}

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const have = existsSync(marker) ? readFileSync(marker, 'utf8') : ''
  if (have === wanted && existsSync(ownNode)) return
  const started = Date.now()
  process.stdout.write('Installing what package-lock.json says (half a minute with a cold cache) …\n')
  const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  })
  if (done.error) fail(`npm could not be started: ${done.error.message}`)
  if (done.status !== 0) fail('npm ci failed. Nothing was started; its own words are above.')
  if (!existsSync(ownNode)) {
    fail(
      `${ownNode} is missing: npm did not run the install script of the package "node". Run: npm rebuild node esbuild`,
    )
  }
  writeFileSync(marker, wanted)
  process.stdout.write(`Installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

function installedNode() {
  return JSON.parse(readFileSync(join(root, 'node_modules', 'node', 'package.json'), 'utf8')).version
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}
