/** How sure figures are, and the words of the one list of definitions. */
export function Meanings({ definitions }: { definitions: readonly { name: string; means: string }[] }) {
  const byName = new Map(definitions.map(({ name, means }) => [name, means]))
  return (
    <>
      <p>
        In brackets, the interval that holds the true share 19 times in 20. Nothing is told of fewer than ten visitors.
        Who refused to be measured, bots and tests are not counted. Days are UTC.
      </p>
      <details>
        <summary>What these numbers mean</summary>
        <dl>
          {[...byName].map(([name, means]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{means}.</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
