import type { InvoiceView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords } from '../../contract/paid-with.ts'
import { taxLabel } from '../../contract/tax-words.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Title } from '../ui/Title.tsx'
import { type MembersSettings, useRemote } from './client.ts'
import { Nav } from './Nav.tsx'
import { Waiting } from './parts.tsx'
import { useTitle } from './useTitle.ts'
import { longDay } from './words.ts'

/** every payment, newest first. */
export function Invoices() {
  const [remote, { reload }] = useRemote('invoices')
  if (remote.state !== 'ready') return <Waiting remote={remote} onRetry={reload} />
  const { invoices } = remote.data
  return (
    <div className="step">
      <Nav />
      <Title>Invoices</Title>
      {invoices.length === 0 ? (
        <p>There are no payments on this account yet.</p>
      ) : (
        <ul className="invoice-list">
          {invoices.map(({ id, at, what, amount, refunded, returned }) => (
            <li key={id}>
              <a href={`/app/invoices/${id}`}>
                <span>
                  <strong>{what}</strong>
                  <span className="quiet small">{longDay(at)}</span>
                </span>
                <span className="tabular">
                  {formatMoney(amount)}
                  {refunded > 0 && <span className="quiet small">{formatMoney(refunded)} refunded</span>}
                  {returned > 0 && <span className="quiet small">{formatMoney(returned)} returned by your bank</span>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <ButtonLink look="text" href="/app/subscription">
        Back to the subscription
      </ButtonLink>
    </div>
  )
}

export function Invoice({ id, settings }: { id: string; settings: MembersSettings }) {
  const [remote, { reload }] = useRemote('invoice', { invoiceId: id })
  if (remote.state !== 'ready') return <Waiting remote={remote} onRetry={reload} />
  return (
    <div className="step">
      <Nav />
      <InvoicePage invoice={remote.data} settings={settings} />
      <ButtonLink look="text" href="/app/invoices">
        All invoices
      </ButtonLink>
    </div>
  )
}

/** One invoice as a page that prints well. */
export function InvoicePage({ invoice, settings }: { invoice: InvoiceView; settings: MembersSettings }) {
  const { company } = settings
  const { tax } = invoice
  // not by its number: page views are measured with their titles
  useTitle(`Invoice, ${longDay(invoice.at)}, ${invoice.what}`)
  return (
    <article className="invoice">
      <Title>Invoice {invoice.number}</Title>
      <div className="invoice-heads">
        <p>
          <strong>{company.name}</strong>
          <br />
          {company.address}
          <br />
          {company.country}
        </p>
        <p>
          {invoice.name && (
            <>
              {invoice.name}
              <br />
            </>
          )}
          {invoice.email}
        </p>
      </div>
      <dl className="invoice-rows">
        <div>
          <dt>Paid on</dt>
          <dd>{longDay(invoice.at)}</dd>
        </div>
        <div>
          <dt>Paid with</dt>
          <dd>{methodWords(invoice.paidWith)}</dd>
        </div>
        <div>
          <dt>
            {invoice.what}
            {invoice.period && (
              <span className="quiet small">
                {longDay(invoice.period.from)} to {longDay(invoice.period.to)}
              </span>
            )}
          </dt>
          <dd className="tabular">{formatMoney(invoice.amount)}</dd>
        </div>
        {tax && (
          <>
            <div>
              <dt>Net of tax</dt>
              <dd className="tabular">{formatMoney(tax.netAmount)}</dd>
            </div>
            <div>
              <dt>{taxLabel(tax)}, included</dt>
              <dd className="tabular">{formatMoney(tax.taxAmount)}</dd>
            </div>
          </>
        )}
        {[
          ['Refunded', invoice.refunded, invoice.taxRefunded] as const,
          ['Returned by your bank', invoice.returned, invoice.taxReturned] as const,
        ].map(
          ([what, amount, taxOfIt]) =>
            amount > 0 && (
              <div key={what}>
                <dt>
                  {what}
                  {tax && (
                    <span className="quiet small">
                      of it {tax.name} {formatMoney(-taxOfIt)}
                    </span>
                  )}
                </dt>
                <dd className="tabular">{formatMoney(-amount)}</dd>
              </div>
            ),
        )}
        <div className="invoice-total">
          <dt>Total in US dollars</dt>
          <dd className="tabular">{formatMoney(invoice.amount - invoice.refunded - invoice.returned)}</dd>
        </div>
      </dl>
      <Button look="quiet" className="no-print" onClick={() => print()}>
        Print or save as PDF
      </Button>
    </article>
  )
}
