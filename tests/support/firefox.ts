/**
 * Firefox: Debian's ESR without a window, driven over WebDriver BiDi, which it speaks itself; Debian has no driver
 * beside it. The commands used are those of https://w3c.github.io/webdriver-bidi/.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anyPort } from '../../db/ports.ts'
import { type Bidi, connect } from './bidi.ts'
import { type Driver, Hands, until } from './hands.ts'

const FIREFOX = '/usr/bin/firefox-esr'

/** Debian's package that this machine lacks for Firefox. */
export const missingFirefox = (): string[] => (existsSync(FIREFOX) ? [] : ['firefox-esr'])

/** Firefox asks nobody but the page under test. */
const QUIET = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.proxy.type': 0,
  'services.settings.server': 'data:,nothing',
  'toolkit.telemetry.server': 'data:,nothing',
}

/** An element of the page, as BiDi names it. */
interface Found {
  sharedId: string
}

/** Opens a phone-sized page of Firefox with a profile of its own. */
export async function openFirefox(): Promise<Hands<Found>> {
  const port = await anyPort()
  const profile = mkdtempSync(join(tmpdir(), 'eye-firefox-'))
  const prefs = Object.entries(QUIET).map(([name, value]) => `user_pref('${name}', ${JSON.stringify(value)})\n`)
  writeFileSync(join(profile, 'user.js'), prefs.join(''))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', String(port)]
  const program = spawn(FIREFOX, args, { stdio: 'ignore', env: { ...process.env, HOME: profile } })
  const ended = new Promise((gone) => program.once('exit', gone))
  const end = async () => {
    program.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const bidi = await until(() => connect(`ws://127.0.0.1:${port}/session`))
    await bidi('session.new', { capabilities: {} })
    const { contexts } = await bidi<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
    const context = contexts[0]?.context ?? ''
    await bidi('browsingContext.setViewport', { context, viewport: { width: 390, height: 844 } })
    return new Hands(overBidi(bidi, context, end))
  } catch (error) {
    await end()
    throw error
  }
}

function overBidi(bidi: Bidi, context: string, end: () => Promise<void>): Driver<Found> {
  /** Runs the body of a function in the page; resolves to what it returns, in BiDi's form. */
  async function run<T>(body: string, given: readonly object[] = []): Promise<T> {
    const answer = await bidi<{ type: string; result: T; exceptionDetails?: { text: string } }>('script.callFunction', {
      functionDeclaration: `function () { ${body} }`,
      arguments: given,
      target: { context },
      awaitPromise: false,
    })
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
    return answer.result
  }
  const perform = (actions: object[]): Promise<unknown> => bidi('input.performActions', { context, actions })
  async function click(element: Found): Promise<void> {
    await run("arguments[0].scrollIntoView({ block: 'center' })", [element])
    const middle = { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } }
    const press = [middle, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]
    await perform([{ type: 'pointer', id: 'hand', actions: press }])
  }
  return {
    click,
    goTo: async (url) => void (await bidi('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await bidi('browsingContext.reload', { context, wait: 'complete' })),
    address: async () => (await run<{ value: string }>('return location.href')).value,
    words: async () => (await run<{ value: string }>('return document.body.innerText')).value,
    async first(script, given) {
      const strings = given.map((value) => ({ type: 'string', value }))
      return (await run<{ value: Found[] }>(script, strings)).value[0]
    },
    async write(element, text) {
      await click(element)
      await run('arguments[0].select()', [element])
      const keys = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))
      await perform([{ type: 'key', id: 'keys', actions: keys }])
    },
    async close() {
      await bidi('browser.close', {}).catch(() => undefined)
      await end()
    },
  }
}
