/** Calls back each time the browser shows this page as it was left (Back); returns the function that ends it. */
export function onReturn(again: () => void): () => void {
  const shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) again()
  }
  addEventListener('pageshow', shown)
  return () => removeEventListener('pageshow', shown)
}
