/**
 * Safari's engine: Debian's WebKitGTK on a screen of its own, driven over WebDriver. Playwright's own WebKit is a build
 * that is fetched from elsewhere; this one is a package of the distribution.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Builder, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver'
import { anyPort } from '../../db/ports.ts'
import { type Driver, Hands, until } from './hands.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** Debian's packages that this machine lacks for WebKit. */
export const missingWebKit = (): string[] => [
  ...(existsSync(DRIVER) ? [] : ['webkit2gtk-driver']),
  ...(existsSync(SCREEN) ? [] : ['xvfb']),
]

/** Opens a phone-sized window of WebKit. */
export async function openWebKit(): Promise<Hands<WebElement>> {
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
    return new Hands(overWebDriver(driver, end))
  } catch (error) {
    end()
    throw error
  }
}

const overWebDriver = (driver: WebDriver, end: () => void): Driver<WebElement> => ({
  goTo: (address) => driver.get(address),
  reload: () => driver.navigate().refresh(),
  address: () => driver.getCurrentUrl(),
  words: () => driver.executeScript('return document.body.innerText'),
  first: async (script, given) => (await driver.executeScript<WebElement[]>(script, ...given))[0],
  click: (element) => element.click(),
  async write(element, text) {
    await element.clear()
    await element.sendKeys(text)
  },
  async close() {
    await driver.quit().catch(() => undefined)
    end()
  },
})
