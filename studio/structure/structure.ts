import type { StructureResolver, ViewBuilder } from 'sanity/structure'
import { BasketIcon } from '@sanity/icons/Basket'
import { BookIcon } from '@sanity/icons/Book'
import { CogIcon } from '@sanity/icons/Cog'
import { CommentIcon } from '@sanity/icons/Comment'
import { CreditCardIcon } from '@sanity/icons/CreditCard'
import { DocumentsIcon } from '@sanity/icons/Documents'
import { DocumentTextIcon } from '@sanity/icons/DocumentText'
import { HelpCircleIcon } from '@sanity/icons/HelpCircle'
import { HomeIcon } from '@sanity/icons/Home'
import { PlayIcon } from '@sanity/icons/Play'
import { SparklesIcon } from '@sanity/icons/Sparkles'
import { TagIcon } from '@sanity/icons/Tag'
import { UserIcon } from '@sanity/icons/User'
import { WarningOutlineIcon } from '@sanity/icons/WarningOutline'
import { programmeList } from './programme.ts'
import { Flow } from '../flow/Flow.tsx'
import { Numbers } from '../numbers/Numbers.tsx'
import { PageNumbers } from '../numbers/PageNumbers.tsx'
import { PAGE_TITLES } from '../numbers/words.ts'
import { reports } from './reports.ts'

/** What editors see: the documents in the order in which a visitor meets them. */
export const structure: StructureResolver = (S) => {
  const one = (type: string, title: string, icon: typeof HomeIcon, ...beside: ViewBuilder[]) =>
    S.listItem()
      .id(type)
      .title(title)
      .icon(icon)
      .schemaType(type)
      .child(
        S.document()
          .schemaType(type)
          .documentId(type)
          .title(title)
          .views([S.view.form().title('Words'), ...beside]),
      )
  const page = (type: keyof typeof PAGE_TITLES, icon: typeof HomeIcon) =>
    one(type, PAGE_TITLES[type], icon, S.view.component(PageNumbers).id('numbers').title('Numbers'))
  const many = (type: string, title: string, icon: typeof HomeIcon) =>
    S.documentTypeListItem(type).title(title).icon(icon)

  return S.list()
    .id('funnel')
    .title('Funnel')
    .items([
      many('advertorial', 'Advertorials', BookIcon),
      page('landing', HomeIcon),
      one(
        'quiz',
        'Quiz',
        HelpCircleIcon,
        S.view.component(Flow).id('flow').title('Flow'),
        S.view.component(Numbers).id('numbers').title('Numbers'),
      ),
      many('testimonial', 'Testimonials', CommentIcon),
      many('pressMention', 'Press mentions', DocumentTextIcon),
      page('checkout', CreditCardIcon),
      page('offer', TagIcon),
      page('upsell', BasketIcon),
      one('account', 'Account and thank-you', UserIcon),
      S.listItem().id('programme').title('Programme').icon(PlayIcon).child(programmeList(S)),
      S.divider(),
      many('legalPage', 'Legal pages', DocumentsIcon),
      one('reading', 'Reading product', SparklesIcon),
      one('settings', 'Settings', CogIcon),
      S.divider(),
      ...reports(S),
      S.listItem()
        .id('sample-content')
        .title('Sample content')
        .icon(WarningOutlineIcon)
        .child(
          S.documentList()
            .id('sample-content')
            .title('Sample content')
            .filter('sample == true')
            .apiVersion('2026-03-01'),
        ),
    ])
}
