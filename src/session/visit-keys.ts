/** Keys of sessionStorage: what belongs to one visit of one tab. Read them as VISIT_KEYS.exitIntent. */
export const customerEmail = 'customerEmail'
export const customerName = 'customerName'
export const sessionInitialized = 'session_initialized'
export const exitIntent = 'exit_intent_shown'
export const trackedPurchase = 'tracked_purchase'
export const returnHandled = 'return_handled'
/** U-03: what is picked on the add-ons page, and the order under way, for one session. */
export const upsellPicks = 'upsell_picks'
