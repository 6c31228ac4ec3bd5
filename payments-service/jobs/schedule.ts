/** When mails about time are due. Pure: dates in, dates out; the days here are the ones the mails promise. */
import { DAY, HOUR } from '../../contract/time.ts'

export interface Window {
  sendAt: Date
  /** After this the mail is of no use and is not sent. */
  notAfter: Date
}

/**
 * the reminder before the first full charge, while there is time to cancel. A period of two weeks or more: seven
 * days before, as the card networks require. A shorter one: two days before, or after its first third when that is
 * later. Never in the last hour, when it is too late to act on it.
 */
export function trialReminder(startedAt: Date, firstChargeAt: Date): Window {
  const length = firstChargeAt.getTime() - startedAt.getTime()
  if (!(length > 0)) throw new RangeError('the first charge has to come after the start')
  const lead = length >= 14 * DAY ? 7 * DAY : Math.min(2 * DAY, (length * 2) / 3)
  return {
    sendAt: new Date(firstChargeAt.getTime() - lead),
    notAfter: new Date(firstChargeAt.getTime() - Math.min(HOUR, lead / 2)),
  }
}

/**
 * C-11: one reminder, an hour after a checkout counts as abandoned (D-09) or its visitor was there again; after three
 * days it is left out.
 */
export function abandonedReminder(quietSince: Date): Window {
  return { sendAt: new Date(quietSince.getTime() + HOUR), notAfter: new Date(quietSince.getTime() + 3 * DAY) }
}
