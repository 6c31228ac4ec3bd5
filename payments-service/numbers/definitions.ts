/**
 * What each number means. docs/metrics.md has this same table (tests/service/metrics-doc.test.ts), and the pages show
 * these words beside the figures.
 */
export interface Definition {
  name: string
  means: string
  /** Where it is shown. */
  where: 'Steps' | 'Pages' | 'Funnel' | 'Steps, Pages' | 'Steps, Pages, Funnel'
}

const define = (name: string, means: string, where: Definition['where']): Definition => ({ name, means, where })

export const DEFINITIONS = {
  visitor: define(
    'Visitor',
    'One visit with its session, by the UTC day on which it began; neither a bot nor a test',
    'Steps, Pages, Funnel',
  ),
  entered: define('Entered', 'Visitors who were shown the step, or the page, at least once', 'Steps, Pages'),
  left: define('Left', 'Of these, who saw no later step or page and never pressed Order', 'Steps'),
  leftPage: define(
    'Left a page',
    'Of its visitors, who saw no later page and did not do what it is for: begin the quiz, pay, end the add-ons',
    'Pages',
  ),
  wentOn: define('Went on', 'Entered − Left', 'Pages'),
  stepRate: define('Step rate', '1 − Left ÷ Entered', 'Steps, Pages'),
  dropOff: define('Drop-off', 'Left ÷ Entered', 'Steps'),
  medianSeconds: define(
    'Median seconds',
    'Of the seconds for which each visitor who entered had the step before them, all views together',
    'Steps',
  ),
  paidLater: define(
    'Paid later',
    'Of the visitors who entered, those whose first payment succeeded within 28 days of the beginning of the visit',
    'Steps, Pages',
  ),
  boughtAddOn: define(
    'Bought an add-on',
    'Of the visitors who entered the add-ons, those who paid for one within 28 days of the beginning of the visit',
    'Pages',
  ),
  answerShare: define(
    'Share of an answer',
    'Visitors whose answer has the value ÷ visitors who answered the question, ' +
      'once they have been quiet for half an hour',
    'Steps',
  ),
  trialToPaid: define(
    'Trial → paid',
    'Of the trials that began in the period and have ended, those followed by a full charge that succeeded',
    'Funnel',
  ),
  refundRate: define(
    'Refund rate',
    'Of the programme’s buyers who first paid in the period, those who got something back, ' +
      'other than what was charged twice',
    'Funnel',
  ),
  netRevenue: define(
    'Net revenue',
    'What these buyers have paid until now − what went back − lost disputes; tax included, fees of Stripe not known',
    'Funnel',
  ),
} as const satisfies Record<string, Definition>

/** A group of fewer visitors is neither shown apart nor compared. */
export const FEWEST = 10

/** The campaign (`utm_source`) of visits that are made to try the shop. */
export const TEST_SOURCE = 'test'
