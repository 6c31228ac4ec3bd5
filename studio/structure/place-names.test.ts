import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDataset } from '../check/rules.ts'
import { pathText, type Document } from '../check/finding.ts'
import { crumbs, fullPlace, pathOf, placeNames, type NamedType } from './place-names.ts'

const folder = join(import.meta.dirname, '..', 'dataset')
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.ndjson'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Document)

test('K-05 the list before a launch names places as editors do: steps by number, people by name', () => {
  const findings = checkDataset(documents)
  const names = [...placeNames(findings, documents, (type) => `(${type})`).values()]
  expect(names).toHaveLength(findings.length)
  expect(names).toContain('(quiz), step 6: You are far from alone with tired eyes')
  expect(names).toContain('(testimonial): J. S.')
  expect(names).toContain('(checkout)')
  expect(names.filter((name) => /undefined|programme\.|[a-z]+-[a-z]+-/.test(name))).toEqual([])
})

const option: NamedType = {
  name: 'option',
  title: 'Option',
  fields: [{ name: 'value', type: { name: 'string', title: 'Counted as' } }],
}
const question: NamedType = {
  name: 'questionStep',
  title: 'Question',
  fields: [
    { name: 'storageKey', type: { name: 'string', title: 'Name of the answer' } },
    { name: 'options', type: { name: 'array', title: 'Options', of: [option] } },
  ],
}
const quizType: NamedType = {
  name: 'quiz',
  title: 'Quiz',
  fields: [{ name: 'steps', type: { name: 'array', title: 'Steps', of: [{ name: 'infoStep' }, question] } }],
}

test('K-05 a fault names its step, its entry and its field; a place that is gone stops at what is left', () => {
  const quiz = documents.find(({ _id }) => _id === 'quiz') as Document
  const place = (path: string) => crumbs(pathOf(path), quiz, quizType).join(' / ')
  const fourth = 'Step 4: When do your eyes bother you most?'
  expect(place('steps[_key=="symptom-timing"].storageKey')).toBe(`${fourth} / Name of the answer`)
  expect(place('steps[_key=="symptom-timing"].options[1].value')).toBe(
    `${fourth} / Options / 2: Afternoon / Counted as`,
  )
  expect(place('steps[_key=="gone"].title')).toBe('Steps')
  expect(place('welcome.title')).toBe('welcome / title')
  expect(place('')).toBe('')
  const storageKey = { documentId: 'quiz', documentType: 'quiz', path: pathOf('steps[3].storageKey') }
  expect(fullPlace(storageKey, quiz, quizType)).toBe(`Quiz / ${fourth} / Name of the answer`)
  expect(fullPlace({ ...storageKey, path: [] }, undefined, quizType)).toBe('Quiz')
})

test('K-05 a path that was written is read as it was', () => {
  for (const text of ['', 'heading', 'steps[_key=="e.mail"].options[2].value', 'seo.title', '[0].text']) {
    expect(pathText(pathOf(text)).replace(/^\./, '')).toBe(text)
  }
})
