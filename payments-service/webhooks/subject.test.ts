import { expect, test } from 'vitest'
import { rowOf } from './event-table.ts'
import { shownSubject } from './subject.ts'

const SCHEDULE = { object: 'subscription_schedule', id: 'sub_sched_1', customer: 'cus_1' }
const subjectIn = (object: object) => shownSubject({ data: { object } }, 'subscription_schedule')

test('A-05 P-10 a change planned in the dashboard has the subscription read again', () => {
  expect(rowOf('subscription_schedule.updated')).toMatchObject({ object: 'subscription_schedule', action: 'sync' })
  expect(subjectIn({ ...SCHEDULE, subscription: 'sub_1', released_subscription: null })).toBe('sub_1')
  expect(subjectIn({ ...SCHEDULE, subscription: null, released_subscription: 'sub_1' })).toBe('sub_1')
  // planned for a subscription that has not begun: not ours
  expect(subjectIn({ ...SCHEDULE, subscription: null, released_subscription: null })).toBeNull()
})
