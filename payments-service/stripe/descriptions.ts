import { MONEY_BACK_DAYS, type ProductId, RENEWAL_DAYS, TRIAL_DAYS } from '../../contract/catalogue.ts'

const TRIAL = `${TRIAL_DAYS} days of the guided eye-exercise programme; the subscription follows unless it is cancelled`
const READING = 'A personal reading, paid once'

/**
 * P-13: the description of each product in Stripe's invoices, receipts and dashboard. Not in the catalogue, which every
 * page loads; the words on our pages are the editors'.
 */
export const DESCRIPTIONS: Readonly<Record<ProductId, string>> = {
  trial_1: TRIAL,
  trial_5: TRIAL,
  trial_9: TRIAL,
  trial_1767: TRIAL,
  special_offer:
    'The first month of the guided eye-exercise programme; the subscription follows unless it is cancelled',
  monthly: `The guided eye-exercise programme, ${RENEWAL_DAYS} days; ${MONEY_BACK_DAYS}-day money-back guarantee`,
  bundle: 'All five guides: devices, monitor, the 20-20-20 habit, lighting and vision disorders',
  guide_devices: 'Text size, contrast, colour temperature and notifications on phone and computer',
  guide_ergonomics: 'Height, distance and angle of a monitor, and a chair that suits them',
  guide_habits: 'How to make the break of 20 seconds every 20 minutes a habit',
  guide_lighting: 'Light at home and at work: lamps, windows, glare and evenings',
  guide_disorders: 'What helps with common vision disorders in everyday life, and when to see a doctor',
  reading_7_days: READING,
  reading_14_days: READING,
  reading_1_month: READING,
  reading_premium: READING,
}
