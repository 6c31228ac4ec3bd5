// Fills the operator's page from the control API and sends its buttons there.
type Json = Record<string, unknown>
const $ = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found as T
}

async function call(method: string, path: string, body?: Json): Promise<Json> {
  const reply = await fetch(`/_sandbox/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const parsed = (await reply.json()) as Json
  if (!reply.ok) throw new Error((parsed['error'] as Json | undefined)?.['message'] as string | undefined)
  return parsed
}

function say(words: string): void {
  $('message').textContent = words
}

/** Runs a button's work; its failure is shown, its success refreshes the page's data. */
function act(work: () => Promise<string>): void {
  work()
    .then(async (words) => {
      await refresh(true)
      say(words)
    })
    .catch((error: unknown) => say(error instanceof Error ? error.message : String(error)))
}

function cell(value: unknown): HTMLTableCellElement {
  const made = document.createElement('td')
  if (value instanceof Node) made.append(value)
  else if (Array.isArray(value)) made.append(...(value as Node[]))
  else made.textContent = value === undefined || value === null ? '' : String(value)
  return made
}

function details(title: string, value: unknown): HTMLDetailsElement {
  const made = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = title
  made.append(summary)
  made.addEventListener(
    'toggle',
    () => {
      const text = document.createElement('pre')
      text.textContent = JSON.stringify(value, null, 2)
      made.append(text)
    },
    { once: true },
  )
  return made
}

function button(words: string, work: () => Promise<string>): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = words
  made.addEventListener('click', () => act(work))
  return made
}

function table(head: string[], rows: unknown[][], empty: string): HTMLElement {
  if (rows.length === 0) {
    const none = document.createElement('p')
    none.className = 'note'
    none.textContent = empty
    return none
  }
  const made = document.createElement('table')
  const top = made.createTHead().insertRow()
  for (const name of head) {
    const th = document.createElement('th')
    th.scope = 'col'
    th.textContent = name
    top.append(th)
  }
  const body = made.createTBody()
  for (const row of rows) body.insertRow().append(...row.map(cell))
  return made
}

const time = (seconds: unknown): string =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19) : ''
const money = (object: Json): string => {
  const amount = object['amount'] ?? object['total'] ?? object['unit_amount']
  return typeof amount === 'number' ? `${(amount / 100).toFixed(2)} ${String(object['currency'] ?? '')}` : ''
}

/** What a person does in Stripe's dashboard, or a bank decides: in the rows of what it is done to. */
function actionsOf(kind: string, one: Json): HTMLButtonElement[] {
  const { id, status } = one
  const made: HTMLButtonElement[] = []
  const offer = (words: string, path: string, body: Json, done: (answer: Json) => string): void =>
    void made.push(button(words, async () => done(await call('POST', path, body))))
  const now = (answer: Json): string => `${String(answer['id'])} is ${String(answer['status'])}`
  if (kind === 'charge' && status === 'succeeded') {
    if (!one['refunded']) offer('Refund', 'refunds', { charge: id }, (answer) => `Refund ${String(answer['id'])} made`)
    if (!one['disputed'])
      offer('Dispute', 'disputes', { charge: id }, (answer) => `Dispute ${String(answer['id'])} opened`)
  }
  if (kind === 'dispute' && status !== 'won' && status !== 'lost') {
    offer('Win', 'disputes/close', { dispute: id, status: 'won' }, now)
    offer('Lose', 'disputes/close', { dispute: id, status: 'lost' }, now)
  }
  if (kind === 'refund') {
    if (status === 'pending') offer('Bank pays', 'refunds/settle', { refund: id, status: 'succeeded' }, now)
    if (status === 'pending' || status === 'succeeded')
      offer('Bank refuses', 'refunds/settle', { refund: id, status: 'failed' }, now)
  }
  if (kind === 'subscription' && status !== 'canceled')
    offer('Cancel at once', 'subscriptions/cancel', { subscription: id }, now)
  return made
}

async function drawObjects(): Promise<void> {
  const kind = $<HTMLSelectElement>('kind').value
  const { data, total } = (await call('GET', `objects?kind=${kind}&limit=50`)) as { data: Json[]; total: number }
  $('objects').replaceChildren(
    table(
      ['Id', 'Created', 'Status', 'Amount', 'Customer', ''],
      data.map((one) => [
        details(String(one['id']), one),
        time(one['created']),
        one['status'],
        money(one),
        typeof one['customer'] === 'string' ? one['customer'] : (one['email'] ?? ''),
        actionsOf(kind, one),
      ]),
      'None yet.',
    ),
  )
  if (total > data.length) $('objects').append(`Newest ${data.length} of ${total}.`)
}

async function drawEvents(): Promise<void> {
  const { data } = (await call('GET', 'objects?kind=event&limit=40')) as { data: Json[] }
  $('events').replaceChildren(
    table(
      ['Event', 'Type', 'Created', ''],
      data.map((one) => [
        details(String(one['id']), one),
        one['type'],
        time(one['created']),
        button(
          'Send again',
          async () =>
            `Event ${String((await call('POST', 'webhooks/resend', { event: one['id'] }))['event'])} sent again`,
        ),
      ]),
      'No events yet.',
    ),
  )
}

async function drawWebhooks(): Promise<void> {
  const state = (await call('GET', 'webhooks')) as { settings: Json; pending: number; endpoints: Json[]; log: Json[] }
  const form = $<HTMLFormElement>('webhooks')
  // what was chosen and is not applied yet stays, wherever the focus is
  if (!form.dataset['changed'] && !form.contains(document.activeElement)) {
    for (const [name, value] of Object.entries(state.settings)) {
      const field = form.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = String(value)
    }
  }
  $('endpoints').textContent =
    `${state.pending} waiting. ` +
    `${state.endpoints.map((one) => String(one['url'])).join(', ') || 'No endpoint is configured.'}`
  $('deliveries').replaceChildren(
    table(
      ['At', 'Type', 'Event', 'Try', 'Answer', 'ms'],
      state.log
        .toReversed()
        .slice(0, 30)
        .map((one) => [one['at'], one['type'], one['event'], one['attempt'], one['status'] ?? one['error'], one['ms']]),
      'Nothing sent yet.',
    ),
  )
}

async function drawWallets(): Promise<void> {
  const { offered } = (await call('GET', 'wallets')) as { offered: string[] }
  const form = $<HTMLFormElement>('wallets')
  if (form.contains(document.activeElement)) return
  for (const box of form.querySelectorAll('input')) box.checked = offered.includes(box.name)
}

async function drawFaults(): Promise<void> {
  const { rules } = (await call('GET', 'faults')) as { rules: Json[] }
  $('fault-list').replaceChildren(
    ...rules.map((rule) => {
      const item = document.createElement('li')
      item.textContent =
        `${String(rule['mode'])} for ${String(rule['times'])} call(s) ${String(rule['method'] ?? '')} ` +
        `${String(rule['path'] ?? 'any path')} from ${String(rule['from'])}`
      return item
    }),
  )
}

async function drawLedger(): Promise<void> {
  const { entries } = (await call('GET', 'ledger?order=newest&limit=40')) as { entries: Json[] }
  $('ledger').replaceChildren(
    table(
      ['No.', 'At', 'Cause', 'Objects', 'Events', 'Status'],
      entries.map((one) => {
        const cause = one['cause'] as { job?: string; request?: { method: string; path: string } }
        return [
          details(String(one['seq']), one),
          String(one['at']).replace('T', ' ').slice(0, 19),
          cause.request ? `${cause.request.method} ${cause.request.path}` : cause.job,
          (one['objects'] as unknown[] | undefined)?.length ?? 0,
          ((one['events'] as Json[] | undefined) ?? []).map((event) => String(event['type'])).join(', '),
          one['status'] ?? '',
        ]
      }),
      'The ledger is empty.',
    ),
  )
}

async function drawNumbers(): Promise<void> {
  const clock = await call('GET', 'clock')
  $('now').textContent = `${time(clock['now'])} UTC`
  $('offset').textContent =
    clock['offset'] === 0
      ? 'The same as the wall clock.'
      : `${String(clock['offset'])} seconds ahead of the wall clock.`
  const totals = await call('GET', 'totals')
  const rows = Object.entries(totals).map(([name, value]) => {
    const row = document.createElement('tr')
    row.append(cell(name.replaceAll('_', ' ')), cell(value))
    return row
  })
  $('totals').replaceChildren(...rows)
}

let seen = ''
/** Redraws what has changed; open details stay open while nothing in them did. */
async function refresh(force = false): Promise<void> {
  await drawNumbers()
  await Promise.all([drawWebhooks(), drawFaults(), drawWallets()])
  const mark = JSON.stringify([$('totals').textContent, $<HTMLSelectElement>('kind').value])
  if (!force && mark === seen) return
  seen = mark
  await Promise.all([drawObjects(), drawEvents(), drawLedger()])
}

function formBody(form: HTMLFormElement): Json {
  const out: Json = {}
  for (const [name, value] of new FormData(form)) {
    const field = form.elements.namedItem(name)
    if (value !== '') out[name] = field instanceof HTMLInputElement && field.type === 'number' ? Number(value) : value
  }
  return out
}

$('advance').addEventListener('click', (event) => {
  const seconds = (event.target as HTMLElement).dataset['seconds']
  if (seconds)
    act(async () => `The clock shows ${time((await call('POST', 'clock', { advance: Number(seconds) }))['now'])}`)
})
$('webhooks').addEventListener('input', () => ($('webhooks').dataset['changed'] = 'yes'))
$('webhooks').addEventListener('submit', (event) => {
  event.preventDefault()
  act(async () => {
    await call('POST', 'webhooks', formBody($('webhooks')))
    delete $('webhooks').dataset['changed']
    return 'Webhook settings applied'
  })
})
$('wallets').addEventListener('submit', (event) => {
  event.preventDefault()
  const offered = [...$('wallets').querySelectorAll('input')].filter(({ checked }) => checked).map(({ name }) => name)
  act(async () => (await call('POST', 'wallets', { offered }), `Wallets: ${offered.join(', ') || 'none'}`))
})
$('faults').addEventListener('submit', (event) => {
  event.preventDefault()
  act(async () => `Fault ${String((await call('POST', 'faults', formBody($('faults'))))['mode'])} is on`)
})
$('clear-faults').addEventListener('click', () => act(async () => (await call('DELETE', 'faults'), 'No faults')))
$('kind').addEventListener('change', () => void refresh(true))
const again = (): void => {
  refresh()
    .catch(() => say('The sandbox does not answer.'))
    .finally(() => setTimeout(again, 2000))
}
again()
