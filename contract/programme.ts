/** The programme's days are numbered from 1 on, through all of its weeks. */
export const DAYS_A_WEEK = 7
export const WEEKS = 6
export const DAYS = WEEKS * DAYS_A_WEEK

export const weekOf = (day: number): number => Math.ceil(day / DAYS_A_WEEK)
