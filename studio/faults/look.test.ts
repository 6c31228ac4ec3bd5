import { expect, test } from 'vitest'
import { lookOf } from './look.ts'

test('K-05 only what stops publishing looks like a fault; what a launch asks for does not', () => {
  expect(lookOf(['info', 'warning', 'error'])).toMatchObject({ tone: 'critical', title: 'What to put right' })
  const launch = lookOf(['warning', 'info'])
  expect(launch.tone).toBe('default')
  expect(launch.icon).not.toBe(lookOf(['error']).icon)
  expect(lookOf(['info'])).toMatchObject({ tone: 'positive', title: 'Nothing to put right' })
})
