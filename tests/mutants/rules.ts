/**
 * Files of rules that the tests beside them cover within seconds, in groups that share those tests. What needs a real
 * PostgreSQL or a browser is covered by tests/service, tests/faults and tests/journeys (docs/decisions/tests.md).
 */
export interface Group {
  /** Globs of the tests that have to notice. */
  tests: readonly string[]
  /** Mutates constants too. Each of those mutants reruns all tests of the group, so only where tables are the rules. */
  constants?: boolean
  files: readonly string[]
}

const within = (folder: string, names: string): readonly string[] =>
  names.split(/\s+/).map((name) => `${folder}/${name}.ts`)

export const GROUPS: Readonly<Record<string, Group>> = {
  /** Prices, dates, answers and words that all programs share. */
  contract: {
    tests: ['contract/{answers,catalogue,money,password,payment-messages,quiz,terms,words}.test.ts'],
    constants: true,
    files: within('contract', 'answers catalogue email money password placeholders quiz terms'),
  },
  /** The ways through the quiz: conditions, and the proof that each of them ends at the price. */
  paths: {
    tests: ['contract/{condition,decisions,quiz-paths,quiz-walk}.test.ts', 'src/quiz/quiz-way.test.ts'],
    files: within('contract', 'condition decisions quiz-paths quiz-walk'),
  },
  /** What is charged, given back and opened, and the links that open it. */
  money: {
    tests: ['payments-service/{grants,jobs,mail,money-back,payments,programme,queue,refunds,stripe}/*.test.ts'],
    files: within(
      'payments-service',
      `grants/grants jobs/schedule mail/links money-back/money-back payments/facts payments/purpose payments/same-intent
      payments/shown programme/listening queue/policies refunds/standing stripe/dispute-status
      stripe/subscription-status`,
    ),
  },
  /** What of a payment is tax, where it is owed, and what a quarter declares. */
  tax: {
    tests: ['{contract,payments-service}/tax/*.test.ts'],
    files: ['contract/tax/split.ts', ...within('payments-service/tax', 'place quarter return')],
  },
  quiz: {
    tests: ['src/quiz/*.test.ts'],
    files: within('src/quiz', 'figures loader network quiz quiz.store'),
  },
  /** The decisions of the checkout, add-on, account and reading pages. */
  checkout: {
    tests: ['src/{account,checkout,funnel,payment,paypal-return,reading,redirect,upsell}/**/*.test.ts'],
    files: within(
      'src',
      `account/account account/receipt checkout/countdown funnel/visitor payment/failures payment/pay
      payment/terms-text paypal-return/finish-return paypal-return/returns reading/reading redirect/redirect
      upsell/charge upsell/picks upsell/selection`,
    ),
  },
  /** What blocks a publish. */
  publish: {
    tests: ['studio/check/*.test.ts'],
    files: within(
      'studio/check',
      'condition-words condition.rules copy.rules duties.rules finding flow.rules quiz.rules rules storage-keys',
    ),
  },
}
