// What every element can do: mount, events, classes on its container.
import { type StyleOption } from './style.ts'

export interface ElementOptions {
  style?: StyleOption
  classes?: Partial<Record<'base' | 'complete' | 'empty' | 'focus' | 'invalid' | 'webkitAutofill', string>>
  placeholder?: string
  disabled?: boolean
  [name: string]: unknown
}
type Handler = (event: Record<string, unknown>) => unknown

const CLASSES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
} as const

export abstract class StandInElement {
  readonly _componentName: string
  protected options: ElementOptions
  protected host: HTMLElement | undefined
  protected root: ShadowRoot | undefined
  private container: Element | undefined
  private readonly handlers = new Map<string, Set<Handler>>()
  private destroyed = false
  private readonly onGone: () => void

  constructor(type: string, options: ElementOptions, onGone: () => void) {
    this._componentName = type
    this.options = options
    this.onGone = onGone
  }

  /** Builds the inside of the element. */
  protected abstract render(root: ShadowRoot): void
  abstract focus(): void
  abstract blur(): void
  abstract clear(): void

  mount(target: string | Element): void {
    if (this.destroyed) throw new Error('This Element has already been destroyed. Please create a new one.')
    const container = typeof target === 'string' ? document.querySelector(target) : target
    if (!container)
      throw new Error(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.`,
      )
    if (this.host && this.container === container) return
    this.unmount()
    this.container = container
    this.host = document.createElement('div')
    this.host.className = '__PrivateStripeElement'
    this.root = this.host.attachShadow({ mode: 'open', delegatesFocus: true })
    container.replaceChildren(this.host)
    this.addClass('base')
    this.addClass('empty')
    this.render(this.root)
    const label = this.pageLabel()
    label?.addEventListener('click', this.onLabelClick)
    setTimeout(() => this.emit('ready', { elementType: this._componentName }), 0)
  }

  unmount(): void {
    this.pageLabel()?.removeEventListener('click', this.onLabelClick)
    for (const name of Object.keys(CLASSES) as (keyof typeof CLASSES)[]) this.toggleClass(name, false)
    this.host?.remove()
    this.host = undefined
    this.root = undefined
    this.container = undefined
  }

  destroy(): void {
    this.unmount()
    this.destroyed = true
    this.onGone()
  }

  update(options: ElementOptions): void {
    this.options = { ...this.options, ...options }
  }

  on(event: string, handler: Handler): this {
    const set = this.handlers.get(event) ?? new Set()
    set.add(handler)
    this.handlers.set(event, set)
    return this
  }

  once(event: string, handler: Handler): this {
    const wrapped: Handler = (detail) => {
      this.off(event, wrapped)
      return handler(detail)
    }
    return this.on(event, wrapped)
  }

  off(event: string, handler?: Handler): this {
    if (handler) this.handlers.get(event)?.delete(handler)
    else this.handlers.delete(event)
    return this
  }

  addEventListener = this.on
  removeEventListener = this.off

  /** Whether the page handles an event. */
  protected listens(event: string): boolean {
    return (this.handlers.get(event)?.size ?? 0) > 0
  }

  protected emit(event: string, detail: Record<string, unknown>): void {
    for (const handler of [...(this.handlers.get(event) ?? [])]) handler(detail)
  }

  /** The page's own label for the container; its text also names the field inside. */
  protected pageLabel(): HTMLLabelElement | null {
    const id = this.container?.id
    return id ? document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`) : null
  }

  /** Enter submits the form around the element, as in a normal field. */
  protected submitForm(): void {
    this.container?.closest('form')?.requestSubmit()
  }

  protected addClass(name: keyof typeof CLASSES): void {
    this.toggleClass(name, true)
  }

  protected toggleClass(name: keyof typeof CLASSES, on: boolean): void {
    for (const one of (this.options.classes?.[name] ?? CLASSES[name]).split(/\s+/)) {
      if (one !== '') this.container?.classList.toggle(one, on)
    }
  }

  private readonly onLabelClick = (): void => this.focus()
}
