import { IntentLink } from 'sanity/router'
import { Scroll } from './Numbers.styles.ts'
import { Head, NoFigures } from './table-parts.tsx'
import { changeWords, FEW, percent, type Row, shareWords } from './words.ts'

const HEAD = ['Step', 'Entered', 'Left', 'Step rate', 'Median seconds', 'Paid later', 'Since the edit']

/** One row a step; its title opens it in the editor. */
export function NumbersTable({ rows }: { rows: Row[] }) {
  return (
    <Scroll role="region" aria-label="Numbers of each step" tabIndex={0}>
      <table>
        <Head names={HEAD} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.key} ${row.numbers?.place ?? row.number}`}>
              <th scope="row">
                <Title row={row} />
                <Answers row={row} />
              </th>
              <Figures row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Title({ row: { number, key, title } }: { row: Row }) {
  if (number === undefined) return <i>{title}</i>
  const path = number === 0 ? 'welcome' : `steps[_key=="${key}"]`
  return (
    <IntentLink intent="edit" params={{ id: 'quiz', type: 'quiz', path }}>
      {number === 0 ? title : `${number}. ${title || 'No title yet'}`}
    </IntentLink>
  )
}

function Answers({ row: { answers, answered } }: { row: Row }) {
  if (!answers) return null
  return (
    <details>
      <summary>{answered?.toLocaleString('en')} answered</summary>
      <ul>
        {answers.map(({ label, share }) => (
          <li key={label}>
            {label}: <span>{share ? shareWords(share) : FEW}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Figures({ row: { numbers } }: { row: Row }) {
  if (!numbers?.figures) {
    return <NoFigures names={HEAD} why={numbers ? FEW : 'nobody'} />
  }
  const { entered, left, stayed, medianSeconds, paid } = numbers.figures
  const { change } = numbers
  return (
    <>
      <td>{entered.toLocaleString('en')}</td>
      <td>
        {left.toLocaleString('en')} ({percent(left / entered)})
      </td>
      <td>{shareWords(stayed)}</td>
      <td>{medianSeconds}</td>
      <td>{shareWords(paid)}</td>
      <td data-verdict={change?.verdict}>{change ? changeWords(change) : '–'}</td>
    </>
  )
}
