import type { StructureBuilder } from 'sanity/structure'
import { CalendarIcon } from '@sanity/icons/Calendar'
import { ClipboardIcon } from '@sanity/icons/Clipboard'
import { PlayIcon } from '@sanity/icons/Play'
import { ADD_ON_IDS, product } from '../../contract/catalogue.ts'
import { DAYS_A_WEEK, WEEKS } from '../../contract/programme.ts'
import { guidePlace, PROGRAMME_PREFIX, sessionPlace } from '../check/programme.rules.ts'

/**
 * Every week, session and guide has its place with an id of its own: ids with a dot can be read with a token only, and
 * a document made from a menu would get a public one.
 */
export function programmeList(S: StructureBuilder) {
  const place = (type: string, id: string, title: string) =>
    S.listItem()
      .id(id)
      .title(title)
      .schemaType(type)
      .child(S.document().schemaType(type).documentId(`${PROGRAMME_PREFIX}${id}`).title(title))

  const week = (number: number) => {
    const first = (number - 1) * DAYS_A_WEEK + 1
    return S.listItem()
      .id(`week-${number}`)
      .title(`Week ${number}`)
      .icon(CalendarIcon)
      .child(
        S.list()
          .id(`week-${number}`)
          .title(`Week ${number}`)
          .items([
            place('programmeWeek', `week-${number}`, 'About this week').icon(CalendarIcon),
            S.divider(),
            ...Array.from({ length: DAYS_A_WEEK }, (_, index) =>
              place('programmeSession', sessionPlace(first + index), `Day ${first + index}`).icon(PlayIcon),
            ),
          ]),
      )
  }

  return S.list()
    .id('programme')
    .title('Programme')
    .items([
      ...Array.from({ length: WEEKS }, (_, index) => week(index + 1)),
      S.divider().title('Guides'),
      ...ADD_ON_IDS.map((id) => place('guide', guidePlace(id), product(id).name).icon(ClipboardIcon)),
    ])
}
