/** Markup of the operator pages: everything put into a template is escaped, unless it is markup itself. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | bigint | boolean | null | undefined | Date | readonly Part[]

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(part: Part): string {
  if (part === null || part === undefined || part === false || part === true) return ''
  if (part instanceof Markup) return part.text
  if (part instanceof Date) return moment(part).text
  if (typeof part === 'object') return part.map(escaped).join('')
  return String(part).replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark)
}

/** A tagged template: html`<td>${anything}</td>`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + escaped(parts[at - 1]) + string))
}

/** 2026-11-20 23:59:01 in UTC, to the second, never wrapped. */
export function moment(at: Date | null | undefined): Markup {
  return new Markup(at ? `<time>${at.toISOString().slice(0, 19).replace('T', ' ')}</time>` : '–')
}

/** Words that may be long, or hold no place to wrap: they get room of their own. */
export function long(part: Part): Markup {
  return part === null || part === undefined ? new Markup('–') : html`<span class="long">${part}</span>`
}

/** The story of a visit, named by its owner's address where that is known. */
export function visitLink(id: string, email: string | null = null): Markup {
  return html`<a ${email === null ? '' : html`class="long"`} href="/operator/sessions/${id}"
    >${email ?? `${id.slice(0, 8)}…`}</a
  >`
}

/** Cents always show, unlike in `formatMoney`: the amounts stand below each other in columns, and are compared. */
export function dollars(cents: number | string | bigint | null | undefined): string {
  if (cents === null || cents === undefined) return '–'
  return `$${(Number(cents) / 100).toFixed(2)}`
}

/**
 * A table; rows are cells. `none` is shown when there are no rows. On a narrow screen each row becomes a card
 * (look.ts): a cell carries its column's name for it, and the roles stay what they are when it is no table to CSS.
 */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Part[])[],
  none = 'None.',
): Markup {
  if (rows.length === 0)
    return html`<h2>${caption}</h2>
      <p class="quiet">${none}</p>`
  return html`<h2>${caption}</h2>
    <div class="scroll" role="region" aria-label="${caption}" tabindex="0">
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            ${head.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map(
            (cells) =>
              html`<tr role="row">
                ${cells.map((cell, at) => html`<td role="cell" data-name="${head[at]}">${cell}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`
}
