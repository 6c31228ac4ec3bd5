/** The names under which questions store their answers: one name, one question. */
import { ANSWER_VALUES, QUESTION_KEYS, type QuestionKey } from '../../contract/quiz.ts'
import { titleOf } from './condition-words.ts'
import { at, objects, words, type Report } from './finding.ts'

type Step = Record<string, unknown>

/** Longer names are never counted (db: count_answers). */
export const STORAGE_KEY = /^[a-z][A-Za-z0-9]{0,39}$/
export const STORAGE_KEY_WORDS = 'one word of at most 40 letters and digits, such as screenTime'

/** Fields of quiz_answers that the quiz writes itself; a question may not overwrite them. */
const OWN_FIELDS = [
  ...['ageGroup', 'email', 'selectedPrice', 'eyeStrainIndex', 'visualAge', 'recoverySpeed', 'recoveryPosition'],
  ...['personalInsight', 'birthDate'],
]

/** The values that the answers of a question of the specification have; none for a question of an editor's own. */
export function knownValues(step: Step): readonly string[] {
  const storageKey = words(step['storageKey'])
  return (QUESTION_KEYS as readonly string[]).includes(storageKey) ? ANSWER_VALUES[storageKey as QuestionKey] : []
}

/**
 * The question that a storage key belongs to, where several have it: the first whose options are those that the key is
 * known for, else the first. What is wrong with the others is their key alone.
 */
export function ownerOf(steps: readonly Step[], storageKey: string): Step | undefined {
  const same = steps.filter((step) => step['_type'] === 'questionStep' && words(step['storageKey']) === storageKey)
  const fits = (step: Step): boolean => {
    const values = objects(step['options']).map((option) => words(option['value']))
    return knownValues(step).every((value) => values.includes(value))
  }
  return same.find(fits) ?? same[0]
}

export function checkStorageKeys(steps: Step[], report: Report): void {
  steps.forEach((step, index) => {
    if (step['_type'] !== 'questionStep') return
    const storageKey = words(step['storageKey'])
    const owner = ownerOf(steps, storageKey)
    const tell = (code: string, message: string) => report(['steps', at(step, index), 'storageKey'], code, message)
    if (!STORAGE_KEY.test(storageKey)) {
      tell('storage_key', `The name of an answer is ${STORAGE_KEY_WORDS}.`)
    } else if (OWN_FIELDS.includes(storageKey)) {
      tell('storage_key', `“${storageKey}” is written by the quiz itself. Choose another name.`)
    } else if (owner !== step) {
      const other = `step ${steps.indexOf(owner ?? step) + 1}, “${titleOf(owner)}”`
      tell(
        'duplicate_key',
        `“${storageKey}” is the name of the answer of ${other}: one answer would overwrite the other. ` +
          'Give this question a name of its own.',
      )
    }
  })
}

/** A copy of a question under a key that no other has: `screenTime2`. Other steps stay as they are. */
export function withFreshKey<Item extends object>(item: Item, steps: readonly Step[]): Item {
  const { _type, storageKey } = item as Step
  const taken = new Set(steps.map((step) => words(step['storageKey'])))
  const key = words(storageKey)
  if (_type !== 'questionStep' || key === '' || !taken.has(key)) return item
  let next = 2
  while (taken.has(`${key}${next}`)) next++
  return { ...item, storageKey: `${key}${next}` }
}
