import { expect, test } from 'vitest'
import { jsonInMarkup, organisation } from './structured-data.ts'

test("V1.2.3 an editor's words in the structured data neither end its element nor begin a comment", () => {
  const hostile = '</script><!--<script>alert(1)</script>'
  const settings = { brandName: hostile, company: { name: hostile }, contactEmail: hostile } as never
  const data = organisation(settings, hostile, new URL('https://example.com'))
  const json = jsonInMarkup(data)
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual(data)
})
