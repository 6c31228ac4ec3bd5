/**
 * Safari's engine: Debian's WebKitGTK on a screen of its own, driven over WebDriver. Playwright's own WebKit is a build
 * that is fetched from elsewhere; this one is a package of the distribution.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Builder, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver'
import { anyPort } from '../../db/ports.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** Debian's packages that this machine lacks for WebKit. */
export const missingWebKit = (): string[] => [
  ...(existsSync(DRIVER) ? [] : ['webkit2gtk-driver']),
  ...(existsSync(SCREEN) ? [] : ['xvfb']),
]

/** How long anything may take that a person waits for. */
const PATIENCE = 60_000

type Role = 'button' | 'link' | 'choice' | 'checkbox' | 'textbox'

const ELEMENTS: Record<Role, string> = {
  button: 'button, [role=button]',
  link: 'a[href]',
  choice: 'main button, main [role=radio], main input[type=radio]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  textbox: 'input:not([type=radio], [type=checkbox], [type=hidden])',
}

/** Runs in the page: whatever a selector finds, also inside the shadow of an element, in the order of the page. */
function deep(selector: string, root: Document | ShadowRoot = document): Element[] {
  return [...root.querySelectorAll('*')].flatMap((one) => [
    ...(one.matches(selector) ? [one] : []),
    ...(one.shadowRoot ? deep(selector, one.shadowRoot) : []),
  ])
}

/** Runs in the page: the elements that a visitor can use now, of a role and with a name. */
function usable(selector: string, source: string): Element[] {
  const name = new RegExp(source, 'i')
  const modal = deep('dialog:modal').at(-1)
  return deep(selector).filter((one) => {
    const { labels, innerText } = one as HTMLInputElement
    const words = one.getAttribute('aria-label') ?? labels?.[0]?.innerText ?? innerText
    const covered = modal && !modal.contains(one)
    return !covered && one.checkVisibility() && !one.matches(':disabled') && name.test(words.trim())
  })
}

/** A phone-sized window of WebKit, with what a visitor does in it as verbs. Every verb waits for what it needs. */
export class WebKit {
  readonly #driver: WebDriver
  readonly #end: () => void

  private constructor(driver: WebDriver, end: () => void) {
    this.#driver = driver
    this.#end = end
  }

  static async open(): Promise<WebKit> {
    const port = await anyPort()
    const display = `:${100 + (port % 10_000)}`
    const screen = spawn(SCREEN, [display, '-screen', '0', '1024x1024x24', '-nolisten', 'tcp'], { stdio: 'ignore' })
    const env = { ...process.env, DISPLAY: display }
    const program = spawn(DRIVER, ['-p', String(port)], { stdio: 'ignore', env })
    const end = () => {
      program.kill()
      screen.kill()
    }
    try {
      const driver = await until(() =>
        new Builder()
          .usingServer(`http://127.0.0.1:${port}`)
          .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
          .build(),
      )
      await driver.manage().window().setRect({ width: 390, height: 844 })
      return new WebKit(driver, end)
    } catch (error) {
      end()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#driver.quit().catch(() => undefined)
    this.#end()
  }

  goTo = (address: string): Promise<void> => this.#driver.get(address)
  reload = (): Promise<void> => this.#driver.navigate().refresh()

  /** What the page says, as a visitor reads it. */
  words = (): Promise<string> => this.#driver.executeScript('return document.body.innerText')

  /** Waits for an address, and returns its path with the query. */
  async at(address: RegExp): Promise<string> {
    return until(async () => {
      const { pathname, search } = new URL(await this.#driver.getCurrentUrl())
      if (!address.test(pathname + search)) throw new Error(`at ${pathname}${search}, not at ${address}`)
      return pathname + search
    })
  }

  /** Waits until the page says it. */
  async sees(words: string | RegExp): Promise<void> {
    await until(async () => {
      const all = await this.words()
      if (typeof words === 'string' ? !all.includes(words) : !words.test(all)) throw new Error(`no ${words} in: ${all}`)
    })
  }

  /** Presses the first element of a role with this name. */
  async press(role: Role, name: string | RegExp): Promise<void> {
    await until(async () => (await this.#find(role, name)).click())
  }

  async fill(label: string | RegExp, text: string): Promise<void> {
    await this.#write(() => this.#find('textbox', label), text)
  }

  /** A field of the card, by the name that Stripe gives it. */
  async fillCardField(name: 'cardnumber' | 'exp-date' | 'cvc', text: string): Promise<void> {
    await this.#write(() => this.#one('deep', name, `input[name="${name}"]`), text)
  }

  async #write(field: () => Promise<WebElement>, text: string): Promise<void> {
    await until(async () => {
      const element = await field()
      await element.clear()
      await element.sendKeys(text)
    })
  }

  #find(role: Role, name: string | RegExp): Promise<WebElement> {
    const source = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` : name.source
    return this.#one('usable', `${role} ${name}`, ELEMENTS[role], source)
  }

  /** The first element that a function of the page finds. */
  async #one(look: 'deep' | 'usable', what: string, ...given: string[]): Promise<WebElement> {
    const script = `${deep}; ${usable}; return ${look}(...arguments)`
    const [first] = await this.#driver.executeScript<WebElement[]>(script, ...given)
    if (!first) throw new Error(`there is no ${what}`)
    return first
  }
}

/** Tries until it succeeds; a page that is still loading, moving or drawing is tried again. */
async function until<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE; ;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
}
