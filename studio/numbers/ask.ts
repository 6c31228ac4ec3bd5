import type { SanityClient } from 'sanity'
import { editorsApi, type PageNumbersView, type StepNumbersView } from '../../contract/editors.ts'
import { siteUrl } from '../environment.ts'
import { SIGN_IN_OVER, signInOf, Untold } from '../sign-in.ts'

/** What is asked for; '' of a choice: all. */
export interface Selection {
  /** UTC days. */
  from: string
  to: string
  revision: string
  source: string
  device: string
  language: string
}

/** What the service tells editors. */
export interface Reports {
  stepNumbers: StepNumbersView
  pageNumbers: PageNumbersView
}

const REASONS: Readonly<Record<number, string>> = {
  401: SIGN_IN_OVER,
  403: 'Your account has no role in this project.',
  404: 'The service does not know which content lake editors sign in at.',
  429: 'That was a lot at once. Try again in a minute.',
}

/** Asks the service; throws Untold. */
export async function askNumbers<N extends keyof Reports>(
  client: SanityClient,
  report: N,
  selection: Selection,
): Promise<Reports[N]> {
  if (siteUrl === undefined)
    throw new Untold('This Studio was built without the address of the site (SANITY_STUDIO_SITE_URL).')
  const token = await signInOf(client)
  const address = new URL(editorsApi[report].path, siteUrl)
  for (const [name, value] of Object.entries(selection)) if (value !== '') address.searchParams.set(name, String(value))
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined)
  if (!answer) throw new Untold('The service cannot be reached, or does not know this Studio (STUDIO_ORIGINS).')
  if (!answer.ok) throw new Untold(REASONS[answer.status] ?? 'The service has no answer right now.')
  return (await answer.json()) as Reports[N]
}
