import { IntentLink } from 'sanity/router'
import type { PageView } from '../../contract/editors.ts'
import { Scroll } from './Numbers.styles.ts'
import { Head, NoFigures } from './table-parts.tsx'
import { changeWords, FEW, PAGE_TITLES, percent, shareWords } from './words.ts'

const HEAD = ['Page', 'Entered', 'Went on', 'Left', 'Step rate', 'Paid later', 'Since the edit']

/** One row a page; its title opens the document that it is made of. */
export function PagesTable({ pages }: { pages: readonly PageView[] }) {
  return (
    <Scroll role="region" aria-label="Numbers of each page" tabIndex={0}>
      <table>
        <Head names={HEAD} />
        <tbody>
          {pages.map((one) => (
            <tr key={one.page}>
              <th scope="row">
                <IntentLink intent="edit" params={{ id: one.page, type: one.page }}>
                  {PAGE_TITLES[one.page]}
                </IntentLink>
              </th>
              <Figures {...one} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Figures({ page, figures, change }: PageView) {
  if (!figures) {
    return <NoFigures names={HEAD} why={FEW} />
  }
  const { entered, wentOn, left, stayed, paid } = figures
  return (
    <>
      <td>{entered.toLocaleString('en')}</td>
      <td>{wentOn.toLocaleString('en')}</td>
      <td>
        {left.toLocaleString('en')} ({percent(left / entered)})
      </td>
      <td>{shareWords(stayed)}</td>
      <td>
        {shareWords(paid)}
        {page === 'upsell' && <div>bought an add-on</div>}
      </td>
      <td data-verdict={change?.verdict}>{change ? changeWords(change) : '–'}</td>
    </>
  )
}
