import { html, type Markup } from './html.ts'
import { hidden } from './page.ts'

/** D-12: export and erase by session id or e-mail address. */
export function privacyPage(formToken: string, notice: { text: string; bad?: boolean } | undefined, who = ''): Markup {
  return html`${notice ? html`<p class="notice${notice.bad ? ' bad' : ''}" role="status">${notice.text}</p>` : ''}
    <h2>Export</h2>
    <p>Everything that is kept about one visitor, as a JSON file.</p>
    <form class="bar" method="post" action="/operator/privacy/export">
      ${hidden(formToken)}
      <label
        >Email address or session id <input name="who" value="${who}" required size="38" autocomplete="off" /></label
      ><button>Export</button>
    </form>
    <h2>Erase</h2>
    <p>
      Answers, page views, addresses and names go for good. Payments stay without a name, as bookkeeping needs them. A
      live subscription has to be cancelled first.
    </p>
    <form class="bar" method="post" action="/operator/privacy/erase">
      ${hidden(formToken)}
      <label
        >Email address or session id <input name="who" value="${who}" required size="38" autocomplete="off"
      /></label>
      <label class="check"
        ><input type="checkbox" name="sure" value="yes" required /> I am sure: this cannot be undone</label
      >
      <button class="danger">Erase</button>
    </form>`
}
