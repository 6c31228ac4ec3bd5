/** Sequences in which a buyer could be lied to, played in every run. */
import type { Step } from './steps.ts'

type Order = Extract<Step, { do: 'order' }>
const order = (product: Order['product'], card: Order['card'] = 'good', way: Order['way'] = 'card'): Step => ({
  do: 'order',
  product,
  way,
  card,
})
const later = (moments: number): Step => ({ do: 'later', moments })
const lose = (place: Extract<Step, { do: 'lose' }>['place'], mode: Extract<Step, { do: 'lose' }>['mode']): Step => ({
  do: 'lose',
  place,
  mode,
})
const desk = (what: Extract<Step, { do: 'desk' }>['what']): Step => ({ do: 'desk', what })
const plain = <
  Name extends
    | 'look'
    | 'cancel'
    | 'keep'
    | 'withdraw'
    | 'withdraw by form'
    | 'money back'
    | 'approve'
    | 'decline'
    | 'visit'
    | 'erase'
    | 'new card'
    | 'leave'
    | 'come back'
    | 'old tab'
    | 'old price'
    | 'late'
    | 'correct'
    | 'device'
    | 'at once',
>(
  name: Name,
): Step => ({ do: name })

/**
 * Moments of stage.ts: 0 the purchase, 1 a day later, 2 before the trial's end, 3 while its bill is drawn, 4 after it.
 */
export const KNOWN: Readonly<Record<string, readonly Step[]>> = {
  undisturbed: [order('trial_1'), plain('look'), later(1), plain('look')],
  'special offer': [order('special_offer'), plain('look'), later(6), plain('look')],
  monthly: [order('monthly'), plain('look')],
  'PayPal at value 0': [order('trial_1', 'good', 'setup'), plain('look')],
  'back to the first price, cut': [
    order('trial_1', 'declined'),
    lose('intent', 'drop'),
    order('trial_1767'),
    order('trial_1'),
  ],
  'back to the first price, 500': [
    order('trial_1', 'closed'),
    lose('intent', 'execute_then_500'),
    order('special_offer'),
    order('trial_1'),
  ],
  'back to the offer': [
    order('special_offer', 'closed'),
    lose('intent', 'execute_then_500'),
    order('trial_5'),
    order('special_offer'),
  ],
  'creation lost, another price': [lose('intent', 'execute_then_500'), order('trial_1767'), order('trial_1')],
  'creation lost and adopted': [
    plain('late'),
    lose('intent', 'execute_then_500'),
    order('trial_1767'),
    lose('intent', 'slow'),
    order('trial_1'),
  ],
  'cancelled while the bill is drawn': [order('trial_1'), later(3), plain('look'), plain('cancel')],
  'looked at while the bill is drawn': [order('trial_1'), later(3), plain('look')],
  'cancelled, kept, cancelled': [order('trial_5'), later(1), plain('cancel'), plain('keep'), plain('cancel')],
  'a press whose answer is lost': [order('trial_1', 'closed'), lose('press', 'execute_then_500'), order('trial_1')],
  'kept, and the answer lost': [order('trial_1767'), plain('cancel'), lose('subscription', 'drop'), plain('keep')],
  'left by the form while the bill is drawn': [order('trial_1'), later(3), plain('leave')],
  'left by the form, and back': [order('trial_1'), plain('leave'), later(1), plain('come back'), plain('look')],
  'left by the form, and back, and cancelled': [
    order('trial_1'),
    plain('leave'),
    later(1),
    lose('subscription', '500'),
    plain('come back'),
    plain('cancel'),
  ],
  'left by the form before the order is paid': [order('trial_1', 'closed'), plain('leave'), plain('old tab'), later(1)],
  'an add-on whose answer is lost': [
    order('trial_1'),
    lose('read', '500'),
    lose('read', '500'),
    lose('read', '500'),
    lose('confirm', 'execute_then_500'),
    { do: 'add', product: 'guide_habits' },
  ],
  'another card for what is owed, and the answer lost': [
    order('trial_1'),
    desk('bad card'),
    later(5),
    lose('invoice', 'execute_then_500'),
    plain('new card'),
    later(1),
    plain('look'),
  ],
  'undo refused by the bank': [
    order('trial_1', 'unrefundable'),
    { do: 'add', product: 'guide_habits' },
    { do: 'undo', product: 'guide_habits' },
  ],
  'undo, lost, erased': [
    order('trial_1'),
    { do: 'add', product: 'guide_habits' },
    desk('cancel'),
    later(1),
    lose('refund', '500'),
    lose('refund', '500'),
    { do: 'undo', product: 'guide_habits' },
    plain('erase'),
  ],
  'money back after a dispute': [
    order('trial_1'),
    later(4),
    plain('money back'),
    desk('dispute'),
    plain('approve'),
    later(1),
    plain('look'),
  ],
  'money back after the first payment is disputed': [
    order('trial_1'),
    desk('dispute'),
    later(4),
    plain('money back'),
    plain('approve'),
    later(1),
    plain('look'),
  ],
  'money back and erased': [
    order('trial_1767'),
    plain('money back'),
    desk('cancel'),
    later(1),
    lose('refund', '500'),
    plain('approve'),
    plain('look'),
    plain('erase'),
  ],
  'money back refused by the bank': [
    order('trial_1767', 'unrefundable'),
    plain('money back'),
    plain('approve'),
    later(1),
    plain('look'),
  ],
  'paid after erasure': [order('trial_9', 'closed'), order('trial_9', 'closed'), plain('erase'), plain('old tab')],
  'another price at Stripe': [order('trial_1'), later(1), desk('price'), plain('look'), later(3), plain('look')],
  'a later end at Stripe': [order('trial_1'), desk('later'), later(1), plain('look')],
  'paused at Stripe': [order('trial_1'), desk('pause'), later(1), plain('look')],
  'an old price in the tab': [plain('old price')],
  'cancelled, and bought again': [order('trial_5'), plain('cancel'), plain('visit'), order('trial_1'), later(5)],
  'withdrawn, and bought again': [
    order('trial_5'),
    plain('withdraw'),
    plain('visit'),
    order('trial_1'),
    plain('approve'),
    later(1),
  ],
  'bought twice': [order('trial_1'), plain('visit'), order('trial_5')],
  'bought twice, the second cancelled at once': [
    order('trial_1', 'good', 'setup'),
    plain('visit'),
    order('monthly'),
    plain('cancel'),
  ],
  'bought twice, the second looked at once it is over': [
    order('trial_5', 'good', 'setup'),
    plain('visit'),
    order('monthly'),
    later(2),
    plain('look'),
  ],
  'money back after a part': [
    order('trial_1767'),
    desk('part'),
    plain('money back'),
    plain('approve'),
    later(1),
    plain('look'),
  ],
  'withdrawn and not decided': [order('trial_1'), plain('withdraw')],
  'withdrawn and approved': [order('trial_1767'), plain('withdraw'), plain('approve'), later(1), plain('look')],
  'a card that fails later': [order('trial_1'), desk('bad card'), later(4), plain('look'), later(1), plain('look')],
  'two tabs': [order('trial_1', 'closed'), order('special_offer', 'closed'), plain('old tab')],
  'withdrawn by the form': [order('trial_1767'), plain('withdraw by form'), later(1), plain('approve'), later(1)],
  'withdrawn by the form, and back': [order('trial_1'), plain('withdraw by form'), plain('come back'), later(5)],
  'withdrawn by the form while the bill is drawn, and back': [
    order('trial_1', 'good', 'setup'),
    later(3),
    plain('withdraw by form'),
    plain('look'),
    plain('come back'),
    later(1),
  ],
  'cancelled while another order is being paid': [
    order('trial_1'),
    plain('visit'),
    order('special_offer', 'elsewhere'),
    plain('cancel'),
    later(8),
  ],
  'a reading lost, then withdrawn, kept and erased': [
    order('reading_14_days', 'left', 'paypal'),
    order('trial_1', 'elsewhere', 'setup'),
    plain('withdraw'),
    plain('keep'),
    later(2),
    plain('erase'),
    later(5),
  ],
  'bought twice, the second disputed': [
    order('trial_1767'),
    plain('visit'),
    order('trial_1767'),
    desk('dispute'),
    later(1),
    desk('won'),
    later(2),
  ],
  'withdrawn, declined, and kept': [order('trial_1'), plain('withdraw'), plain('decline'), plain('keep'), later(5)],
  'a reading alone': [order('reading_7_days'), plain('look')],
  'a reading after the programme was cancelled': [
    order('trial_1'),
    plain('cancel'),
    order('reading_14_days', 'good', 'paypal'),
    later(5),
  ],
  'add-ons with PayPal, one taken back': [
    order('trial_1', 'good', 'paypal'),
    { do: 'add', product: 'guide_habits', way: 'paypal' },
    { do: 'add', product: 'guide_devices', way: 'paypal' },
    { do: 'undo', product: 'guide_habits' },
    plain('look'),
  ],
  'one add-on from two tabs': [
    order('trial_1'),
    plain('at once'),
    { do: 'add', product: 'guide_habits' },
    { do: 'add', product: 'guide_habits' },
  ],
  'cancelled in two tabs while money back is granted': [
    order('trial_1'),
    later(4),
    plain('money back'),
    plain('at once'),
    plain('cancel'),
    plain('approve'),
    later(2),
  ],
  'an add-on taken back by its buyer and at Stripe': [
    order('trial_1'),
    { do: 'add', product: 'guide_habits' },
    plain('at once'),
    { do: 'undo', product: 'guide_habits' },
    desk('all'),
  ],
  'a dispute lost, and the subscription with it': [
    order('trial_1'),
    desk('dispute'),
    desk('lost'),
    later(4),
    plain('look'),
  ],
  'a dispute lost, appealed and won': [
    order('trial_1'),
    later(4),
    plain('look'),
    desk('dispute'),
    desk('lost'),
    later(1),
    desk('appeal'),
    desk('won'),
    plain('look'),
    later(3),
    plain('look'),
  ],
  'an inquiry that becomes a lost dispute': [
    order('special_offer'),
    desk('inquiry'),
    desk('lost'),
    plain('look'),
    later(6),
  ],
  'the customer deleted at Stripe': [order('trial_1'), desk('delete'), plain('look'), later(4), plain('look')],
  'the customer deleted while the bill is drawn': [
    order('trial_1'),
    later(3),
    plain('look'),
    desk('delete'),
    later(1),
    plain('look'),
  ],
  'the customer deleted, and an add-on': [
    order('trial_1'),
    desk('delete'),
    { do: 'add', product: 'guide_habits' },
    plain('visit'),
    order('trial_5'),
    later(4),
  ],
  'a card that expires before a renewal': [
    order('trial_1'),
    desk('expire'),
    later(5),
    plain('look'),
    later(5),
    plain('new card'),
    plain('look'),
  ],
  'a renewal that fails, looked at between the tries': [
    order('monthly', 'good', 'paypal'),
    desk('bad card'),
    later(11),
    plain('look'),
  ],
  'paid with PayPal, and never back': [order('trial_1', 'elsewhere', 'paypal'), later(1), plain('look'), later(3)],
  'set up with PayPal, and never back': [order('trial_5', 'elsewhere', 'setup'), plain('look'), later(4)],
  'paid, never back, and ordered again': [order('trial_1', 'elsewhere'), order('trial_5'), plain('look'), later(4)],
  'another device before the order is paid': [
    order('trial_1', 'closed'),
    plain('device'),
    order('trial_5'),
    plain('old tab'),
    plain('look'),
    later(4),
  ],
  'the address corrected, then cancelled by the form': [order('trial_1'), plain('correct'), plain('leave'), later(4)],
  'cancelled by the form, then the address corrected': [order('trial_1'), plain('leave'), plain('correct'), later(4)],
  'the address corrected, and bought again under it': [
    order('trial_1'),
    plain('correct'),
    plain('visit'),
    order('trial_5'),
    later(4),
  ],
  'corrected, cancelled by a link, kept': [
    order('trial_5'),
    plain('correct'),
    plain('cancel'),
    plain('correct'),
    plain('keep'),
    later(4),
    plain('look'),
  ],
  'ended, dearer and voided at Stripe': [
    order('trial_1'),
    desk('extra'),
    plain('look'),
    later(3),
    desk('end'),
    plain('look'),
    desk('void'),
    later(2),
  ],
}
