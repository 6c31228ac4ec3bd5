/** Prefix of the cookies of an operator's sign-in. */
export const OPERATOR_COOKIE = 'funnel-operator'

/** Minutes for which an account takes no code after ten wrong ones in a row. */
export const LOCKED_MINUTES = 15
