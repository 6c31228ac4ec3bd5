/**
 * The one script of the operator pages, as text: passkeys need one. It gets the options from the service, asks the
 * browser, and sends the answer as a field of the form. Where the browser has no passkeys, the forms stay hidden, and
 * the password and the code remain.
 */
export const SCRIPT = `'use strict'
const WORDS = {
  401: 'The password is not right.',
  429: 'There were too many tries. Please wait some minutes.',
}
for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.hidden = !window.PublicKeyCredential?.parseRequestOptionsFromJSON
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const trouble = form.querySelector('[role=alert]')
    const say = (words) => {
      trouble.hidden = words === ''
      trouble.textContent = words
    }
    say('')
    try {
      const body = new URLSearchParams(new FormData(form))
      const answer = await fetch(form.dataset.options, { method: 'POST', body })
      if (!answer.ok) return say(WORDS[answer.status] ?? 'This did not work. Please try again.')
      const asked = await answer.json()
      const credential =
        form.dataset.passkey === 'create'
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
      form.elements.credential.value = JSON.stringify(credential.toJSON())
      form.submit()
    } catch {
      say('No passkey was used. Please try again, or sign in with your password and a code.')
    }
  })
}
`
