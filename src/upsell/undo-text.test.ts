import { expect, test } from 'vitest'
import { takenBackText } from './undo-text.ts'

test('H-05 P-12 what is back is said to be back, and no mail promised: it may have come back by a lost dispute', () => {
  expect(takenBackText('undone', '$14.90')).toContain('$14.90 was given back to you.')
  expect(takenBackText('undone', '$14.90')).not.toMatch(/on its way|mail/)
  expect(takenBackText('undoing', '$14.90')).toContain('a mail confirms it')
})
