/** Milliseconds of an hour and of 24 hours. */
export const HOUR = 3_600_000
export const DAY = 86_400_000
