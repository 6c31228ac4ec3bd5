/** “Shown when”: a condition over the answers given so far; read by contract/condition.ts. */
import { defineArrayMember, defineField, defineType } from 'sanity'
import { CAMPAIGN_KEYS, type Operator } from '../../../contract/condition.ts'
import { AGE_GROUPS } from '../../../contract/ages.ts'
import { AnswersInput, QuestionInput } from './ConditionInputs.tsx'
import { ConditionItem } from './ConditionItem.tsx'

const OPERATOR_TITLES: Readonly<Record<Operator, string>> = {
  contains: 'contains (beside other answers, too)',
  is: 'is (and nothing else was chosen)',
  isNot: 'is not (or was not asked)',
}

const operator = (...operators: Operator[]) =>
  defineField({
    name: 'operator',
    title: 'How',
    description: 'One of the answers below is enough; with “is not”, none of them.',
    type: 'string',
    initialValue: operators[0] ?? 'is',
    options: { layout: 'radio', list: operators.map((value) => ({ title: OPERATOR_TITLES[value], value })) },
    validation: (rule) => rule.required().error('Choose how.'),
  })

const answerCondition = defineType({
  name: 'answerCondition',
  title: 'Answer to an earlier question',
  type: 'object',
  fields: [
    defineField({
      name: 'asked',
      title: 'Question',
      description: 'A question above this step.',
      type: 'string',
      components: { input: QuestionInput },
    }),
    operator('contains', 'is', 'isNot'),
    defineField({
      name: 'chosen',
      title: 'Answers',
      description: 'One of these is enough.',
      type: 'array',
      of: [defineArrayMember({ type: 'string' })],
      components: { input: AnswersInput },
    }),
  ],
  preview: { select: { subtitle: 'asked' }, prepare: ({ subtitle }) => ({ title: 'Answer', subtitle }) },
})

const ageCondition = defineType({
  name: 'ageCondition',
  title: 'Age group',
  type: 'object',
  fields: [
    operator('is', 'isNot'),
    defineField({
      name: 'ageGroups',
      title: 'Age groups',
      description: 'One of these is enough. A visitor who chose none is in no group.',
      type: 'array',
      of: [defineArrayMember({ type: 'string' })],
      options: { list: AGE_GROUPS.map((value) => ({ title: value, value })), layout: 'grid' },
    }),
  ],
  preview: { prepare: () => ({ title: 'Age group' }) },
})

const campaignCondition = defineType({
  name: 'campaignCondition',
  title: 'Campaign',
  type: 'object',
  fields: [
    defineField({
      name: 'parameter',
      title: 'Parameter of the link',
      description: 'As in the address of the advertisement.',
      type: 'string',
      initialValue: 'utm_campaign',
      options: { list: CAMPAIGN_KEYS.map((value) => ({ title: value, value })) },
    }),
    operator('is', 'isNot'),
    defineField({
      name: 'campaigns',
      title: 'Values',
      description: 'Exactly as in the link, capital letters too. A visitor whose campaign is not known has none.',
      type: 'array',
      of: [defineArrayMember({ type: 'string' })],
      options: { layout: 'tags' },
    }),
  ],
  preview: { select: { subtitle: 'parameter' }, prepare: ({ subtitle }) => ({ title: 'Campaign', subtitle }) },
})

const match = defineField({
  name: 'match',
  title: 'Which of these',
  description: 'Matters only where there are several.',
  type: 'string',
  initialValue: 'all',
  options: {
    layout: 'radio',
    list: [
      { title: 'All of them (and)', value: 'all' },
      { title: 'At least one of them (or)', value: 'any' },
    ],
  },
})

const rows = (...types: string[]) =>
  defineField({
    name: 'conditions',
    title: 'Conditions',
    description: 'Empty: the step is shown to everybody.',
    type: 'array',
    of: types.map((type) => defineArrayMember({ type, components: { item: ConditionItem as never } })),
    validation: (rule) => rule.max(12),
  })

const LEAVES = ['answerCondition', 'ageCondition', 'campaignCondition']

const conditionGroup = defineType({
  name: 'conditionGroup',
  title: 'Group (and / or)',
  type: 'object',
  fields: [match, rows(...LEAVES)],
  preview: { prepare: () => ({ title: 'Group' }) },
})

const stepCondition = defineType({
  name: 'stepCondition',
  title: 'Shown when',
  type: 'object',
  fields: [match, rows(...LEAVES, 'conditionGroup')],
})

export const conditionTypes = [answerCondition, ageCondition, campaignCondition, conditionGroup, stepCondition]
