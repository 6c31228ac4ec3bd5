import type { SanityClient } from '@sanity/client'

/**
 * A branch to try releases and conditions with: a question that only visitors with glasses or lenses are asked. It
 * waits in a release, so that the quiz which everybody sees stays as it is specified.
 */
export const BRANCH_RELEASE = 'rGlasses'
const AFTER = 'vision-correction'
const CORRECTED = ['Yes, glasses', 'Yes, contact lenses', 'Yes, both glasses and contacts']

const answers = ['Tired eyes late in the day', 'Words that blur at the screen', 'Marks or dry spots', 'None of these']

export const BRANCH_STEP = {
  _type: 'questionStep',
  _key: 'glasses-symptoms',
  title: 'What do you notice while you wear them?',
  storageKey: 'glassesSymptoms',
  multiSelect: false,
  showNext: false,
  optional: false,
  layout: 'list',
  options: answers.map((label) => ({
    _type: 'option',
    _key: label.toLowerCase().replaceAll(' ', '-'),
    value: label,
    label,
  })),
  showIf: {
    _type: 'stepCondition',
    match: 'all',
    conditions: [
      {
        _type: 'answerCondition',
        _key: 'corrected',
        asked: 'visionCorrection',
        operator: 'contains',
        chosen: CORRECTED,
      },
    ],
  },
}

/** Makes the release with the branch in it; false where there is one of that name already, which is left alone. */
export async function addBranch(client: SanityClient): Promise<boolean> {
  if (await client.getDocument(`_.releases.${BRANCH_RELEASE}`)) return false
  const metadata = { title: 'Glasses: a branch', releaseType: 'undecided' as const }
  await client.releases.create({ releaseId: BRANCH_RELEASE, metadata })
  await client.createVersion({ baseId: 'quiz', releaseId: BRANCH_RELEASE, publishedId: 'quiz' })
  await client
    .patch(`versions.${BRANCH_RELEASE}.quiz`)
    .insert('after', `steps[_key=="${AFTER}"]`, [BRANCH_STEP])
    .commit()
  return true
}
