// Runs inline at the end of the quiz page, before React: names the age group, hides Welcome where the address names
// another step, and lets the plain form carry the campaign along.
;(() => {
  const query = new URLSearchParams(location.search)
  const step = query.get('step')
  const age = (query.get('age') || '').replace(/ $/, '+')
  if (step !== null && step !== 'Welcome') {
    document.documentElement.dataset.later = ''
    // the quiz did not come: Welcome and its plain form are better than an empty page
    setTimeout(() => delete document.documentElement.dataset.later, 7000)
  }
  // L-06: only a form that the browser sends asks for this; hidden fields would be in the way of hydration
  document.querySelector('.welcome form')?.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of query) if (!formData.has(name)) formData.append(name, value)
  })
  if (!/^(18-29|30-45|46-59|60\+)$/.test(age)) return
  const text = document.querySelector('[data-age-text]')
  const field = document.querySelector('[data-age-value]')
  if (text) text.textContent = text.dataset.ageText.replace('{ageGroup}', age)
  if (field) {
    field.value = age
    field.disabled = false
  }
})()
