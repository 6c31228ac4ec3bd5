// The operator's page at `/`: a skeleton; browser/operator.ts fills it from the control API.
import { FAULT_MODES } from '../faults.ts'
import { WALLETS } from '../wallets.ts'
import { htmlPage } from './html.ts'

const KINDS = [
  'payment_intent',
  'setup_intent',
  'charge',
  'refund',
  'dispute',
  'customer',
  'payment_method',
  'subscription',
  'subscription_schedule',
  'invoice',
  'invoice_payment',
  'product',
  'price',
  'mandate',
  'test_helpers.test_clock',
  'webhook_endpoint',
  'payment_method_domain',
]
const options = (values: readonly string[]): string => values.map((value) => `<option>${value}</option>`).join('')

/** The page. Needs no sign-in: the sandbox listens only on this machine and has only test data. */
export function operatorPage(): ReturnType<typeof htmlPage> {
  return htmlPage(
    'Stripe sandbox',
    `<main><h1>Stripe sandbox</h1><p class="note">Test data only. Everything shown is rebuilt from the ledger when the
      process starts.</p><p id="message" role="status" class="note"></p>
<div class="grid">
<section aria-labelledby="clock-title"><h2 id="clock-title">Clock</h2><p><span id="now"></span><br><span class="note"
  id="offset"></span></p>
<div id="advance"><button data-seconds="3600">+1 hour</button><button data-seconds="86400">+1 day</button><button
  data-seconds="259200">+3 days</button><button data-seconds="2592000">+30 days</button></div>
<p class="note">Forward only. Trials end, periods turn, drafts become final an hour later, failed renewals are tried
  again 2, 4 and 7 days after the first failure.</p></section>
<section aria-labelledby="totals-title"><h2 id="totals-title">Totals</h2><table><tbody
  id="totals"></tbody></table></section>
<section aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks</h2><form id="webhooks">
<label>Mode<select name="mode"><option value="normal">normal</option><option value="off">off (kept back)</option><option
  value="lost">lost (never sent)</option></select></label>
<label>Late by (ms)<input name="delay_ms" type="number" min="0" value="0"></label><label>Copies<input name="copies"
  type="number" min="1" value="1"></label>
<label>Shuffle within (ms)<input name="shuffle_ms" type="number" min="0" value="0"></label><button
  class="primary">Apply</button></form><p class="note" id="endpoints"></p></section>
<section aria-labelledby="faults-title"><h2 id="faults-title">Faults</h2><form id="faults">
<label>What<select name="mode">${options(FAULT_MODES)}</select></label><label>Calls<input name="times" type="number"
  min="1" value="1"></label>
<label>Let pass first<input name="after" type="number" min="0" value="0"></label><label>Method<select
  name="method"><option value="">any</option><option>POST</option><option>GET</option>
  <option>DELETE</option></select></label>
<label>Path starts with<input name="path" placeholder="/v1/subscriptions"></label><label>From<select
  name="from">${options(['any', 'server', 'browser'])}</select></label>
<label>Wait (ms)<input name="ms" type="number" min="0" value="30000"></label><button class="primary">Switch
  on</button><button type="button" id="clear-faults">Clear all</button></form><ul id="fault-list"></ul></section>
<section aria-labelledby="wallets-title"><h2 id="wallets-title">Wallets</h2><form id="wallets">
${WALLETS.map((one) => `<label><input type="checkbox" name="${one}">${one}</label>`).join('')}<button
class="primary">Apply</button></form>
<p class="note">What the buyer’s device has. Pages see it from their next load on.</p></section>
</div>
<section aria-labelledby="objects-title"><h2 id="objects-title">Objects</h2><label>Kind<select
  id="kind">${options(KINDS)}</select></label><div id="objects"></div></section>
<section aria-labelledby="events-title"><h2 id="events-title">Events</h2><div id="events"></div></section>
<section aria-labelledby="deliveries-title"><h2 id="deliveries-title">Deliveries</h2><div
  id="deliveries"></div></section>
<section aria-labelledby="ledger-title"><h2 id="ledger-title">Ledger</h2><div id="ledger"></div></section></main>`,
    { script: '/_stripe/operator.js' },
  )
}
