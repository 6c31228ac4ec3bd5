/**
 * Keys of localStorage. Names that the specification gives are kept to the letter. Single exports, so that a
 * page carries only those it uses; read them as KEYS.sessionId.
 */
export const sessionId = 'quiz_session_id'
/** The same id under the two other names in the specification: written and removed with it, never read. */
export const sessionIdCamel = 'sessionId'
export const sessionIdSnake = 'session_id'
export const answers = 'quiz_answers'
export const quizCompleted = 'quiz_completed'
export const quizCompletionTime = 'quiz_completion_time'
export const quizEmail = 'quiz_email'
export const customerEmail = 'customer_email'
export const customerName = 'customer_name'
export const currentProduct = 'current_product_id'
export const userCreated = 'user_created'
export const userEmail = 'user_email'
export const redirectFbclid = 'redirect_fbclid'
export const redirectStep = 'redirect_step'
// ours
export const clientKey = 'session_client_key'
export const quizPlace = 'quiz_place'
export const quizStartedAt = 'quiz_started_at'
export const outbox = 'answers_outbox'
export const healthConsent = 'health_consent'
export const advertisingConsent = 'advertising_consent'
export const analyticsConsent = 'analytics_consent'
export const consentVersion = 'consent_version'
export const consentPending = 'consent_pending'
export const attributionSent = 'attribution_sent'
export const firstTouch = 'attribution_first'
export const lastTouch = 'attribution_last'
export const countdown = 'checkout_countdown'
export const creationLock = 'session_creation_lock'
