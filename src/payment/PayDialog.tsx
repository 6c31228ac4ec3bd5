import { lazy, useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { ProductId } from '../../contract/catalogue.ts'
import { browserConfig } from '../session/client.ts'
import { onReturn } from '../session/on-return.ts'
import { visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Late } from '../ui/Late.tsx'
import { Notice } from '../ui/Notice.tsx'
import { ReloadButton } from '../ui/ReloadButton.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import type { MarketingChoice } from './pay.ts'

const modal = () => import('./PaymentModal.tsx')
const provider = () => import('./provider.ts')
const PaymentModal = lazy(modal)

/** The visitor shows intent (pointer, touch or focus on a pay button): fetch the form and the payment script now. */
function warmUp(): void {
  void browserConfig()
  // each is fetched once; what failed is tried again
  const all = [modal(), provider().then(({ paymentProvider }) => paymentProvider())]
  void Promise.all(all).catch(() => undefined)
}

/** Handlers for every button that opens the dialog. */
export const intent = { onPointerEnter: warmUp, onPointerDown: warmUp, onFocus: warmUp }

interface Props {
  session: SessionView
  productId: ProductId
  settings: FunnelSettings
  marketing: MarketingChoice | null
  page: string
  onClose: () => void
}

/** C-15: no exit intent after it, also where the page was left for PayPal and is loaded anew. */
const noteStarted = (): void => visit.set(VISIT_KEYS.exitIntent, '1')

/** C-12, C-13: 'Choose payment method'. The form arrives with its own script, so the page itself stays light. */
export function PayDialog({ onClose, ...form }: Props) {
  const [busy, setBusy] = useState(false)
  const [returns, setReturns] = useState(0)
  useEffect(() => {
    // Back from PayPal: the browser may show the page as it was left, in the middle of a payment
    return onReturn(() => {
      setBusy(false)
      setReturns((count) => count + 1)
    })
  }, [])
  return (
    <Dialog title="Choose payment method" closable={!busy} onClose={onClose}>
      <Late
        waiting={
          <p className="pay-loading">
            <Spinner label="Loading the payment form" /> Loading the payment form…
          </p>
        }
        gone={<Unavailable />}
      >
        <PaymentModal key={returns} {...form} onBusy={setBusy} onStarted={noteStarted} />
      </Late>
    </Dialog>
  )
}

/** The form could not be loaded, or crashed. */
function Unavailable() {
  return (
    <div className="stack">
      <Notice tone="danger" title="Payment system not available. Please try again." live="assertive">
        <p className="small">Please check your internet connection.</p>
      </Notice>
      <ReloadButton />
    </div>
  )
}
