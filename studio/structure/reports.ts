import type { StructureBuilder } from 'sanity/structure'
import { WarningOutlineIcon } from '@sanity/icons/WarningOutline'
import { LaunchCheck } from './LaunchCheck.tsx'

/** Panes about all documents together. A report is an entry here: the funnel report is going to be one. */
export function reports(S: StructureBuilder) {
  return [
    S.listItem()
      .id('before-launch')
      .title('Before launch')
      .icon(WarningOutlineIcon)
      .child(S.component(LaunchCheck).id('before-launch').title('Before launch')),
  ]
}
