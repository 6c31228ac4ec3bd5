import type { StructureBuilder } from 'sanity/structure'
import { WarningOutlineIcon } from '@sanity/icons/WarningOutline'
import { EarthGlobeIcon } from '@sanity/icons/EarthGlobe'
import { RestoreIcon } from '@sanity/icons/Restore'
import { Builds } from '../builds/Builds.tsx'
import { LaunchCheck } from './LaunchCheck.tsx'
import { SiteStatus } from './SiteStatus.tsx'

/** Panes about all documents together. A report is an entry here: the funnel report is going to be one. */
export function reports(S: StructureBuilder) {
  return [
    S.listItem()
      .id('site-status')
      .title('Site status')
      .icon(EarthGlobeIcon)
      .child(S.component(SiteStatus).id('site-status').title('Site status')),
    S.listItem()
      .id('builds')
      .title('Builds of the site')
      .icon(RestoreIcon)
      .child(S.component(Builds).id('builds').title('Builds of the site')),
    S.listItem()
      .id('before-launch')
      .title('Before launch')
      .icon(WarningOutlineIcon)
      .child(S.component(LaunchCheck).id('before-launch').title('Before launch')),
  ]
}
