/** What the mails are made of. */
/** An instant as `Date.toISOString()` writes it. */
export type Instant = string
/** An absolute http(s) address. */
export type Url = string

/** A subscription that goes on, and its next charge. */
export interface Running {
  amount: number
  at: Instant
  cancelUrl: Url
}

/** What any mail may carry. */
export interface Common {
  /** As the buyer typed it; omitted from the greeting when it does not look like a name. */
  name?: string | null
  /** IANA name of the buyer's time zone (session metadata); days are written in UTC without it. */
  timeZone?: string | null
  /** H-04: opens a page that asks once; in the foot of every mail while a subscription is live. */
  cancelUrl?: Url | null
  /** P-14: another subscription of the same address goes on, where a mail says that one has ended. */
  running?: Running | null
  /** H-02: the withdrawal function, for buyers in the EEA, the UK and Switzerland. */
  withdrawUrl?: Url | null
}

/** An end that Stripe's dashboard has set for a day: the charges go on until then, and not until the buyer cancels. */
export interface Ending {
  /** Null: none is set. */
  endsAt?: Instant | null
  /** It comes within a later period, which costs less. */
  lastCutShort?: boolean
}

/** What follows the next charge. */
export interface Later extends Ending {
  /** The price of a period, before what is taken off or added in the next charge; that charge's amount without it. */
  price?: number | null
}

/** What becomes of a subscription that a mail itself does not end; null where there is nothing to say. */
export type Stands = 'goes_on' | 'stays_cancelled' | null

/** Mails to somebody with a live subscription cannot be written without the cancel link (H-04). */
export interface ToSubscriber extends Common {
  cancelUrl: Url
}

/** The last charge of a subscription that ends. */
export interface LastCharge {
  amount: number
  at: Instant
  /** Not for the period that has begun: it was added to the bill. */
  added: boolean
}
