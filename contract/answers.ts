/** Decodes stored answers. Separate from quiz.ts, whose values only the quiz needs. */

const NUMBERS: readonly string[] = ['eyeStrainIndex', 'visualAge', 'recoveryPosition', 'selectedPrice']
/** Questions with several answers; none of their values contains a comma. */
const LISTS: readonly string[] = ['symptoms', 'symptomTiming', 'digitalDevices']

/** The inverse of `encodeAnswer`, for another browser (C-02). Undefined for what is not an answer of a quiz. */
export function decodeAnswer(questionId: string, text: string): unknown {
  if (NUMBERS.includes(questionId)) return Number.isFinite(Number(text)) ? Number(text) : undefined
  const isList = LISTS.includes(questionId) && (text.includes(',') || questionId === 'symptoms')
  if (!isList) return text
  return text === '' ? [] : text.split(',')
}
