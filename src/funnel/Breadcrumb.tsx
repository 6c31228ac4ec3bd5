const STEPS = ['Order submitted', 'Special offer', 'Account creation', 'Order receipt'] as const

/** U-05: where the buyer is after the order. */
export function Breadcrumb({ at }: { at: (typeof STEPS)[number] }) {
  const here = STEPS.indexOf(at)
  return (
    <nav aria-label="Your order">
      <ol className="crumbs">
        {STEPS.map((step, index) => (
          <li key={step} aria-current={index === here ? 'step' : undefined} data-done={index < here || undefined}>
            {step}
          </li>
        ))}
      </ol>
    </nav>
  )
}
