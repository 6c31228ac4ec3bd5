import { useEffect, useState } from 'react'
import type { PriceStep } from '../../../contract/content.ts'
import { TRIAL_IDS, product } from '../../../contract/catalogue.ts'
import { formatMoney, toDollars } from '../../../contract/money.ts'
import { Notice } from '../../ui/Notice.tsx'
import { OptionMark } from '../../ui/OptionCard.tsx'
import { moveByArrow } from '../../ui/radio-arrows.ts'
import { LEAVING_MS } from '../quiz-navigation.ts'
import type { StepProps } from '../step-view.ts'
import { useAtom } from '../useAtom.ts'
import { StepButton } from './StepButton.tsx'
import { StepTitle } from './StepTitle.tsx'

const PRICES = TRIAL_IDS.map((id) => ({ dollars: toDollars(product(id).price), label: formatMoney(product(id).price) }))
const DEFAULT = PRICES[0]?.dollars ?? 1

/** S-33: one of four prices is always chosen; nothing is paid here. */
export default function Price({ quiz, step }: StepProps<PriceStep>) {
  const dollars = useAtom(quiz.$answers, ({ selectedPrice }) =>
    PRICES.some((price) => price.dollars === selectedPrice) ? (selectedPrice ?? DEFAULT) : DEFAULT,
  )
  const [leaving, setLeaving] = useState(false)
  const [offline, setOffline] = useState(false)
  useEffect(() => {
    if (!offline) return
    // before the page is left: the browser shows it again as it was (Back)
    const gone = (): void => setOffline(false)
    addEventListener('online', gone)
    return () => removeEventListener('online', gone)
  }, [offline])
  return (
    <>
      <StepTitle>{step.title}</StepTitle>
      <p className="step-text">{step.intro}</p>
      <div
        className="prices"
        role="radiogroup"
        aria-labelledby="step-title"
        onKeyDown={(event) => moveByArrow(event, (index) => quiz.choosePrice(PRICES[index]?.dollars ?? DEFAULT))}
      >
        {PRICES.map((price) => (
          <button
            key={price.dollars}
            type="button"
            className="option price"
            role="radio"
            aria-checked={price.dollars === dollars}
            tabIndex={price.dollars === dollars ? 0 : -1}
            onClick={() => quiz.choosePrice(price.dollars)}
          >
            {price.label}
            <OptionMark />
          </button>
        ))}
      </div>
      <p className="step-note">{step.note}</p>
      <div role="status">
        {offline && (
          <Notice tone="caution" title="No connection right now">
            <p>Your answers and your price are saved. We go on by ourselves as soon as you are online again.</p>
          </Notice>
        )}
      </div>
      <StepButton
        busy={leaving}
        onClick={() => {
          setLeaving(true)
          setOffline(!navigator.onLine)
          quiz.checkOut(dollars)
          // the browser may come back to this very page (back button, a failed navigation)
          setTimeout(() => setLeaving(false), LEAVING_MS)
        }}
      >
        {step.button}
      </StepButton>
    </>
  )
}
