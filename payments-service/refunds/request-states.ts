/** The states of a request for money back that are read together (`money_back_requests.status`; A-07, H-02). */

/** Not done: one of a kind holds the place of its contract. */
export const UNDER_WAY = ['open', 'refunding', 'incomplete'] as const

/** Granted, however far its refunds have come. */
export const GRANTED = ['refunding', 'incomplete', 'refunded'] as const
