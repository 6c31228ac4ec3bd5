/** What the table of steps and the table of pages share. */

export function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The cells of a row that has a name and no figures. */
export function NoFigures({ names, why }: { names: readonly string[]; why: string }) {
  return (
    <>
      <td>{why}</td>
      {names.slice(2).map((name) => (
        <td key={name}>–</td>
      ))}
    </>
  )
}
