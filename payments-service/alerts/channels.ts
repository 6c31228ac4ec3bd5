import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import type { Log } from '../http/logging.ts'
import type { Rule } from './rules.ts'

/** Milliseconds that a channel may take: the look goes on without it, and asks it again a minute later. */
const PATIENCE = 10_000

export interface News {
  rule: Rule
  over: boolean
  /** One short line. */
  text: string
}

/** A way to notify a person. Throws when it did not work. */
export interface Channel {
  name: 'log' | 'mail' | 'url'
  tell(news: News): Promise<void>
}

/**
 * Straight to the mail server and the address, past the queue: the alert may be that the queue does not move. The
 * log always has it.
 */
export function channelsOf({ alerts, mail }: Config, log: Log): Channel[] {
  const channels: Channel[] = [
    {
      name: 'log',
      tell: ({ rule, over, text }) => {
        if (over) log.info({ alert: rule.name }, text)
        else log.error({ alert: rule.name }, text)
        return Promise.resolve()
      },
    },
  ]
  const { smtpUrl, from } = mail
  if (alerts.mail && smtpUrl) channels.push({ name: 'mail', tell: byMail(smtpUrl, from, alerts.mail) })
  if (alerts.url) channels.push({ name: 'url', tell: byUrl(alerts.url) })
  return channels
}

function byMail(smtpUrl: string, from: string, to: string): Channel['tell'] {
  return async ({ rule, over, text }) => {
    const limits = { connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE }
    const transport = nodemailer.createTransport({ url: smtpUrl, ...limits })
    try {
      const subject = `${over ? 'Over' : rule.severity === 'critical' ? 'ALERT' : 'Alert'}: ${rule.summary}`
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } finally {
      transport.close()
    }
  }
}

/** As Slack, Mattermost and others take it; further fields would make some of them refuse it. */
function byUrl(url: string): Channel['tell'] {
  return async ({ text }) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    await reply.body?.cancel()
    // the address is a secret: it is not named
    if (!reply.ok) throw new Error(`ALERT_URL answered ${reply.status}`)
  }
}
