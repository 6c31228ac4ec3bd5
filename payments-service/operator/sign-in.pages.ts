import { html, type Markup } from './html.ts'
import { hidden } from './page.ts'
import { passkeySignIn } from './passkeys.pages.ts'
import type { Enrolment } from './second-factor.ts'

export function passwordForm(email = '', trouble?: string): Markup {
  return html`<div class="sign-in">
    ${trouble ? html`<p class="notice bad" role="alert">${trouble}</p>` : ''}
    <form method="post" action="/operator/sign-in">
      <label>Email address <input name="email" type="email" value="${email}" required autocomplete="username" /></label>
      <label>Password <input name="password" type="password" required autocomplete="current-password" /></label>
      <button>Sign in</button>
    </form>
    ${passkeySignIn()}
  </div>`
}

/** The input for a code; its error is tied to it for screen readers. */
function codeField(label: string, trouble: string | undefined): Markup {
  return html`<label for="code">${label}</label>
    <input
      id="code"
      name="code"
      required
      maxlength="20"
      autocomplete="one-time-code"
      autocapitalize="off"
      spellcheck="false"
      ${trouble ? html`aria-invalid="true" aria-describedby="code-trouble"` : ''}
    />
    ${trouble ? html`<p id="code-trouble" class="bad" role="alert">${trouble}</p>` : ''}`
}

export function codeForm(trouble?: string): Markup {
  return html`<div class="sign-in">
    <form method="post" action="/operator/sign-in/code">
      ${codeField('Code from your authenticator app', trouble)}
      <p class="quiet">Without your phone: one of your recovery codes. Each of them counts once.</p>
      <button>Go on</button>
    </form>
    <p><a href="/operator/sign-in">Begin again</a></p>
  </div>`
}

export async function enrolForm({ secret, uri }: Enrolment, formToken: string, trouble?: string): Promise<Markup> {
  return html`<div class="sign-in">
    <p>
      Operators sign in with a password and a code. Scan this with an authenticator app (Google Authenticator,
      1Password, KeePassXC …), then type the six digits it shows.
    </p>
    ${await qrCode(uri)}
    <p>Without a camera, type this secret into the app:</p>
    <p><code class="secret">${(secret.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
    <form method="post" action="/operator/second-factor">
      ${hidden(formToken)} ${codeField('Code from your authenticator app', trouble)}
      <button>Confirm</button>
    </form>
  </div>`
}

export function recoveryPage(codes: readonly string[]): Markup {
  return html`<div class="sign-in">
    <p class="notice">
      Keep these ten recovery codes where you keep passwords. Each of them takes the place of the app once, when the
      phone is lost. They are not shown again.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a href="/operator">I have kept them: go on</a></p>
  </div>`
}

/** A text as a QR code: an inline picture, because the policy of these pages lets no script and no data: URL in. */
async function qrCode(text: string): Promise<Markup> {
  const { encodeQR } = await import('qr')
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="QR code of the secret">
    <path d="${path}" />
  </svg>`
}
