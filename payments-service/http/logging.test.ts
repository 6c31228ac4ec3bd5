import { expect, test } from 'vitest'
import { createLog } from './logging.ts'

const written = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  write(createLog('info', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

test('N-02 an entry is one line of JSON with its time in UTC, whatever text is in it', () => {
  const forged = 'a\r\n{"level":30,"msg":"operator"}\u2028\u001b[31m'
  const text = written((log) => log.warn({ field: forged, err: new Error(forged) }, forged))
  expect(text.trimEnd().split(/\r|\n/)).toHaveLength(1)
  const entry = JSON.parse(text) as Record<string, unknown>
  expect(entry).toMatchObject({ service: 'payments', field: forged, msg: forged })
  expect(entry['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('N-02 an error is logged without ids, addresses, secrets and its own data', () => {
  const error = Object.assign(
    new Error('ann@example.com of 0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b: sk_test_51Habcdefgh'),
    {
      code: '23505',
      detail: 'Key (email)=(ann@example.com)',
    },
  )
  const text = written((log) => log.error({ err: error }, 'failed'))
  expect(text).toContain('23505')
  expect(text).not.toMatch(/ann@|0b0f7f3e|51Habcdefgh|Key \(email\)/)
})
