// Runs inline at the end of an offer's page, before React: a button that is pressed before the script has come is
// pressed once it has.
;(() => {
  let waiting
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('astro-island[ssr] button')
    if (!button) return
    if (!waiting)
      button.closest('astro-island').addEventListener('astro:hydrate', () => waiting.click(), { once: true })
    waiting = button
  })
})()
