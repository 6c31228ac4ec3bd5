/** Decodes stored answers. Separate from quiz.ts, whose values only the quiz needs. */

const NUMBERS: readonly string[] = ['eyeStrainIndex', 'visualAge', 'recoveryPosition', 'selectedPrice']
/** Separates several answers: the publish check lets no value have a comma without a space after it (K-05). */
const SEPARATOR = /,(?! )/

/** The inverse of `encodeAnswer`, for another browser (C-02). Undefined for what is not an answer of a quiz. */
export function decodeAnswer(questionId: string, text: string): unknown {
  if (NUMBERS.includes(questionId)) return Number.isFinite(Number(text)) ? Number(text) : undefined
  if (questionId === 'symptoms' && text === '') return []
  const several = questionId === 'symptoms' || (SEPARATOR.test(text) && !text.startsWith('{'))
  return several ? text.split(SEPARATOR) : text
}
