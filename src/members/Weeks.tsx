import type { ProgrammeDay, ProgrammeView } from '../../contract/members.ts'

const STATE: Record<ProgrammeDay['state'], string> = {
  listened: 'listened',
  today: 'next',
  open: 'open',
  locked: 'not open yet',
}

/** the six weeks, quietly: what was listened to, what comes. Counted from real play time. */
export function Weeks({ programme }: { programme: ProgrammeView }) {
  const days = programme.weeks.flatMap((week) => week.days)
  const current = days.find(({ day }) => day === programme.today)?.week
  return (
    <section className="members-section" aria-labelledby="weeks-title">
      <h2 id="weeks-title">Your six weeks</h2>
      <p className="quiet">
        {programme.listened} of {days.length} sessions listened
      </p>
      <ol className="weeks">
        {programme.weeks.map((week) => (
          <li key={week.number}>
            <details open={week.number === current}>
              <summary>
                <span>
                  <strong>Week {week.number}</strong> {week.title}
                </span>
                <span className="dots" aria-hidden="true">
                  {week.days.map(({ day, state }) => (
                    <span key={day} data-state={state} />
                  ))}
                </span>
                <span className="visually-hidden">
                  {week.days.filter(({ state }) => state === 'listened').length} of {week.days.length} listened
                </span>
              </summary>
              <p className="quiet small">{week.text}</p>
              <ul className="days">
                {week.days.map((day) => (
                  <li key={day.day}>
                    <DayLine day={day} />
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

function DayLine({ day: { day, title, state } }: { day: ProgrammeDay }) {
  const line = (
    <>
      <span className="day-mark" data-state={state} aria-hidden="true">
        {state === 'listened' ? '✓' : day}
      </span>
      <span>
        {title} <span className={state === 'locked' ? 'visually-hidden' : 'quiet small'}>{STATE[state]}</span>
      </span>
    </>
  )
  return state === 'locked' ? (
    <span className="day-line">{line}</span>
  ) : (
    <a className="day-line" href={`/app/day/${day}`}>
      {line}
    </a>
  )
}
