import { place, record, timedId } from './outgoing.ts'

/** D-08: script errors, each once and only a few per page; the service groups equal ones. */
const MOST = 10
const told = new Set<string>()

function tell(type: string, message: string, stack: string | undefined): void {
  // scripts of other origins (extensions) report no details
  if (!message || message === 'Script error.' || told.has(message) || told.size >= MOST) return
  told.add(message)
  record({
    kind: 'error',
    id: timedId(),
    type: type.slice(0, 100),
    message: message.slice(0, 1_000),
    ...(stack ? { stack: stack.slice(0, 8_000) } : {}),
    url: place(),
  })
}

export function watchTrouble(): void {
  addEventListener('error', ({ error, message }) => {
    if (error instanceof Error) tell(error.name, error.message, error.stack)
    else tell('Error', message, undefined)
  })
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof Error) tell(reason.name, reason.message, reason.stack)
    else tell('UnhandledRejection', String(reason), undefined)
  })
}
