/** The moment by which an answer is due, passed from the route to Stripe and the queue. */
export class Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number

  private constructor(at: number) {
    this.at = at
  }

  /** A deadline this many milliseconds from now. */
  static in(milliseconds: number): Deadline {
    return new Deadline(Date.now() + milliseconds)
  }

  /** Milliseconds left, never below 0. */
  get left(): number {
    return Math.max(0, this.at - Date.now())
  }

  get over(): boolean {
    return this.left === 0
  }
}

/** One deadline for everything that a browser's request does (runtime facts: then 202 and polling). */
export const REQUEST_DEADLINE = 30_000
