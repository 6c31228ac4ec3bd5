/** Letters about the account and signing in: each was asked for, so each says what to do if it was not you. */
import { button, greetingName, moment, paragraph, quiet, strong, type Letter } from '../letter.ts'
import type { AccountWelcome, EmailVerificationCode, FreshLink, MagicLink, PasswordReset, ResumeLink } from '../mail.ts'
import type { Setting } from './words.ts'

const NOT_YOU = 'If you did not ask for this, ignore this mail: nothing happens.'

const YOUR_READING = 'Your reading is open in it, as often as you like.'

export function accountWelcome(data: AccountWelcome, { identity }: Setting): Letter {
  const name = greetingName(data.name)
  const only = data.readingOnly ? YOUR_READING : ''
  return {
    subject: `Welcome to ${identity.productName}`,
    preview: `Your account is ready. ${only || data.closed ? only : 'The first session takes five minutes.'}`.trim(),
    heading: name ? `Welcome, ${name}` : 'Welcome',
    blocks: [
      ...(only || data.closed
        ? [paragraph(`Your account is ready. ${only}`.trim()), button('Open your account', data.appUrl)]
        : [
            paragraph(
              'Your account is ready. The first session takes five minutes: find a quiet place, press play and ' +
                'follow the voice.',
            ),
            button('Start the first session', data.appUrl),
          ]),
      paragraph('You sign in with ', strong(data.email), ' and the password you chose.'),
      quiet(
        'In your account you find ' +
          `${data.readingOnly ? '' : 'your subscription, '}your invoices and everything you bought.`,
      ),
    ],
    because: 'You receive this mail because an account was made with your address.',
  }
}

const FRESH: Record<FreshLink, { subject: string; heading: string; what: string; press: string }> = {
  create_account: {
    subject: 'Your fresh link to create your account',
    heading: 'Create your account',
    what: 'With this link you choose a password for your account.',
    press: 'Create your account',
  },
  update_payment: {
    subject: 'Your fresh link to pay or change how you pay',
    heading: 'How you pay',
    what: 'With this link you pay what is open, or change the card or PayPal account that is charged.',
    press: 'See how you pay',
  },
  undo_cancel: {
    subject: 'Your fresh link to keep your subscription',
    heading: 'Keep your subscription',
    what: 'You have cancelled. With this link you keep your subscription after all, as long as it has not ended.',
    press: 'Keep my subscription',
  },
}

/** H-04: in place of a link that has expired, asked for by the reader of the mail that held it. */
function freshLink({ resumeUrl, expiresAt, timeZone }: ResumeLink, link: FreshLink): Letter {
  const { subject, heading, what, press } = FRESH[link]
  return {
    subject,
    preview: 'The one in the earlier mail has expired.',
    heading,
    blocks: [
      paragraph(what, ' Nothing happens before you confirm it on the page.'),
      button(press, resumeUrl),
      quiet(`The link works until ${moment(expiresAt, timeZone)}. ${NOT_YOU}`),
    ],
    because: 'You receive this mail because a fresh link was asked for with the one of an earlier mail to you.',
  }
}

/** Opens a session from another browser: from one without its token, or with another session, only this link can. */
export function resumeLink(data: ResumeLink): Letter {
  if (data.freshFor) return freshLink(data, data.freshFor)
  return {
    subject: 'Continue where you left off',
    preview: 'Go on where you stopped.',
    heading: 'Continue where you left off',
    blocks: [
      paragraph('With this link you go on where you stopped, in the browser where you click it.'),
      paragraph('If you did not start this, do not continue: somebody else typed your address.'),
      button('Continue', data.resumeUrl),
      quiet(`The link works once, until ${moment(data.expiresAt, data.timeZone)}. ${NOT_YOU}`),
    ],
    because: 'You receive this mail because somebody asked for this link with your address.',
  }
}

export function passwordReset(data: PasswordReset): Letter {
  return {
    subject: 'Choose a new password',
    preview: 'The link works once.',
    heading: 'Choose a new password',
    blocks: [
      paragraph('You asked for a new password. Your old one works until you have chosen another.'),
      button('Choose a new password', data.resetUrl),
      quiet(`The link works once, until ${moment(data.expiresAt, data.timeZone)}. ${NOT_YOU}`),
    ],
    because: 'You receive this mail because somebody asked for a new password with your address.',
  }
}

export function magicLink(data: MagicLink, { identity }: Setting): Letter {
  return {
    subject: `Sign in to ${identity.productName}`,
    preview: 'The link works once.',
    heading: 'Sign in',
    blocks: [
      paragraph('This link signs you in, without a password, in the browser where you open it.'),
      button('Sign in', data.signInUrl),
      quiet(`The link works once, until ${moment(data.expiresAt, data.timeZone)}. Do not pass it on. ${NOT_YOU}`),
    ],
    because: 'You receive this mail because somebody asked to sign in with your address.',
  }
}

const WHY: Record<EmailVerificationCode['why'], string> = {
  correct_email: 'Enter this code on the page where you corrected your address.',
  join_purchases: 'Enter this code to add the purchases made with this address to your account.',
  sign_up: 'Enter this code on the page where you create your account.',
}

/** The code stays out of subject and preview: those are read on locked screens. */
export function emailVerificationCode(data: EmailVerificationCode): Letter {
  return {
    subject: 'Your code to confirm this address',
    preview: 'Valid for a short while.',
    heading: 'Confirm your address',
    blocks: [
      paragraph(WHY[data.why]),
      { type: 'code', code: data.code },
      quiet(
        `The code is valid until ${moment(data.expiresAt, data.timeZone)}. Nobody from us will ever ask you ` +
          `for it. ${NOT_YOU}`,
      ),
    ],
    because: 'You receive this mail because this address was entered on our site.',
  }
}
