import type { Deps } from '../deps.ts'
import { html, type Markup, table } from './html.ts'
import { hidden } from './page.ts'
import { listPasskeys } from './passkeys.ts'
import type { Operator } from './sign-in.ts'

/** A form whose field the script fills with the browser's answer; hidden without the script. */
function passkeyForm(kind: 'create' | 'get', action: string, inside: Markup): Markup {
  return html`<form method="post" action="${action}" data-passkey="${kind}" data-options="${action}/options" hidden>
    <input type="hidden" name="credential" />
    ${inside}
    <p class="bad" role="alert" hidden></p>
  </form>`
}

/** On the sign-in page, beside the password. */
export function passkeySignIn(): Markup {
  return passkeyForm('get', '/operator/sign-in/passkey', html`<button class="plain">Use a passkey</button>`)
}

/** The operator's own passkeys. */
export async function passkeysPage(deps: Deps, operator: Operator, formToken: string, notice = ''): Promise<Markup> {
  const kept = await listPasskeys(deps, operator)
  return html`${notice ? html`<p class="notice">${notice}</p>` : ''}
    <p>
      A passkey signs you in by the fingerprint, face or PIN of your device or security key, in place of the password
      and the code. A new password ends all of them.
    </p>
    ${table(
      `Your passkeys (${kept.length})`,
      ['Added (UTC)', 'Where it is', ''],
      kept.map(({ id, created_at, backed_up }) => [
        created_at,
        backed_up ? 'Synced by its provider' : 'On one device',
        html`<form method="post" action="/operator/passkeys/${id}/remove">
          ${hidden(formToken)}<button class="plain">Remove</button>
        </form>`,
      ]),
      'None yet.',
    )}
    <h2>Add a passkey</h2>
    ${passkeyForm(
      'create',
      '/operator/passkeys',
      html`${hidden(formToken)}
        <label>Your password <input name="password" type="password" required autocomplete="current-password" /></label>
        <button>Add a passkey</button>`,
    )}`
}
