/** What a check has found. */
export interface Finding {
  /** fail: buyers or money are at risk. warn: something works less well than it should. */
  level: 'ok' | 'warn' | 'fail'
  about:
    | 'database'
    | 'backups'
    | 'stripe'
    | 'webhooks'
    | 'catalogue'
    | 'wallets'
    | 'mail'
    | 'content'
    | 'public address'
    | 'operators'
  /** What is so, and for anything but `ok` what to do. */
  text: string
}

export type Said = Omit<Finding, 'about'>
export const ok = (text: string): Said => ({ level: 'ok', text })
export const warn = (text: string): Said => ({ level: 'warn', text })
export const fail = (text: string): Said => ({ level: 'fail', text })
