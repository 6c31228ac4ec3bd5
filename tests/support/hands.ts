/** What a visitor does, as verbs, in a browser that Playwright cannot drive. */

/** How one engine is driven; `Found` is its name for an element of the page. */
export interface Driver<Found> {
  goTo(address: string): Promise<void>
  reload(): Promise<void>
  /** The address of the page. */
  address(): Promise<string>
  /** What the page says, as a visitor reads it. */
  words(): Promise<string>
  /** The first element of those that a script returns; the script is the body of a function of strings. */
  first(script: string, given: readonly string[]): Promise<Found | undefined>
  /** Presses the middle of an element; rejects when it cannot be pressed yet. */
  click(element: Found): Promise<void>
  /** Writes in a field in place of what it holds. */
  write(element: Found, text: string): Promise<void>
  close(): Promise<void>
}

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
    const covered = one.closest('[inert]') ?? (modal && !modal.contains(one))
    return !covered && one.checkVisibility() && !one.matches(':disabled') && name.test(words.trim())
  })
}

/** A visitor's hands and eyes. Every verb waits for what it needs. */
export class Hands<Found> {
  readonly #driver: Driver<Found>

  constructor(driver: Driver<Found>) {
    this.#driver = driver
  }

  goTo = (address: string): Promise<void> => this.#driver.goTo(address)
  reload = (): Promise<void> => this.#driver.reload()
  words = (): Promise<string> => this.#driver.words()
  close = (): Promise<void> => this.#driver.close()

  /** Waits for an address, and returns its path with the query. */
  async at(address: RegExp): Promise<string> {
    return until(async () => {
      const { pathname, search } = new URL(await this.#driver.address())
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
    await until(async () => this.#driver.click(await this.#find(role, name)))
  }

  async fill(label: string | RegExp, text: string): Promise<void> {
    await until(async () => this.#driver.write(await this.#find('textbox', label), text))
  }

  /** A field of the card, by the name that Stripe gives it. */
  async fillCardField(name: 'cardnumber' | 'exp-date' | 'cvc', text: string): Promise<void> {
    await until(async () => this.#driver.write(await this.#one('deep', name, `input[name="${name}"]`), text))
  }

  #find(role: Role, name: string | RegExp): Promise<Found> {
    const source = typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` : name.source
    return this.#one('usable', `${role} ${name}`, ELEMENTS[role], source)
  }

  /** The first element that a function of the page finds. */
  async #one(look: 'deep' | 'usable', what: string, ...given: string[]): Promise<Found> {
    const first = await this.#driver.first(`${deep}; ${usable}; return ${look}(...arguments)`, given)
    if (!first) throw new Error(`there is no ${what}`)
    return first
  }
}

/** Tries until it succeeds; a page that is still loading, moving or drawing is tried again. */
export async function until<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE; ;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
}
