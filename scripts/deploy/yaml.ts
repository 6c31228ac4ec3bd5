/** Values of JSON as YAML, in blocks: as much of it as a manifest needs. */

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

const isMap = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && !Array.isArray(value)

/** Strings in quotes, so that none is read as a number or a truth; a list of scalars on one line. */
function scalar(value: Value): string | undefined {
  if (Array.isArray(value)) {
    const inner = (value as readonly Value[]).map((one) => (typeof one === 'object' ? undefined : scalar(one)))
    return inner.includes(undefined) ? undefined : `[${inner.join(', ')}]`
  }
  if (typeof value === 'object') return undefined
  return typeof value === 'string' && !isPlain(value) ? `'${value.replaceAll("'", "''")}'` : String(value)
}

const isPlain = (text: string): boolean =>
  /^[A-Za-z/][\w./:-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)

export function yaml(value: Value, indent = ''): string {
  if (isMap(value)) {
    return Object.entries(value)
      .map(([key, inner]) => {
        const plain = scalar(inner)
        if (plain !== undefined) return `${indent}${key}: ${plain}\n`
        return `${indent}${key}:\n${yaml(inner, `${indent}  `)}`
      })
      .join('')
  }
  if (Array.isArray(value)) {
    return (value as readonly Value[])
      .map((one) => `${indent}- ${yaml(one, `${indent}  `).slice(indent.length + 2)}`)
      .join('')
  }
  return `${indent}${scalar(value)}\n`
}
