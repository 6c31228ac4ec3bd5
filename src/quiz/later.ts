import type { StepKind } from '../../contract/content.ts'
import type { View } from './step-view.ts'
import Email from './steps/Email.tsx'
import Info from './steps/Info.tsx'
import Loader from './steps/Loader.tsx'
import Plan from './steps/Plan.tsx'
import Press from './steps/Press.tsx'
import Price from './steps/Price.tsx'
import Recovery from './steps/Recovery.tsx'
import Risk from './steps/Risk.tsx'
import Summary from './steps/Summary.tsx'
import Testimonials from './steps/Testimonials.tsx'
import Timeline from './steps/Timeline.tsx'

/** The screens that the page does not begin with, as one file: a file a kind was 23 requests more, and more bytes. */
export const laterViews: Record<Exclude<StepKind, 'question'>, View> = {
  info: Info,
  loader: Loader,
  email: Email,
  risk: Risk,
  summary: Summary,
  recovery: Recovery,
  plan: Plan,
  timeline: Timeline,
  press: Press,
  testimonials: Testimonials,
  price: Price,
}
