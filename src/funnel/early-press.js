// Runs inline at the end of a page with an order button, before React: what is pressed before the script has come is
// pressed once it has, in the same order. A label stands for its box, which React would take for untouched.
{
  const presses = []
  addEventListener('click', (event) => {
    const pressed = event.target.closest('astro-island[ssr] :is(button,label)')
    if (!pressed) return
    event.preventDefault()
    presses.push(pressed)
  })
  // where another island came first they are kept again
  addEventListener('astro:hydrate', () => presses.splice(0).forEach((pressed) => pressed.click()), true)
}
