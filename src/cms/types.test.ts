import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, expectTypeOf, test } from 'vitest'
import type * as Content from '../../contract/content.ts'
import type * as Query from './types.generated.ts'

/** Fields that a page receives but no query returns; checked by the compiler, `never` when all is well. */
type Missing<Page, Result> = Exclude<keyof Page, keyof NonNullable<Result>>
type Step = NonNullable<NonNullable<Query.QuizQueryResult>['steps']>[number]
type MissingIn<Kind extends Content.StepKind> = Missing<
  Omit<Extract<Content.QuizStep, { kind: Kind }>, 'kind' | 'key'>,
  Extract<Step, { _type: `${Kind}Step` }>
>

test('K-06 every field that pages receive is a field of the schema, by the generated types', () => {
  expectTypeOf<Missing<Content.Settings, Query.SettingsQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.LandingContent, Query.LandingQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.QuizContent, Query.QuizQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.CheckoutContent, Query.CheckoutQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.OfferContent, Query.OfferQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.UpsellContent, Query.UpsellQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.AccountContent, Query.AccountQueryResult>>().toBeNever()
  expectTypeOf<Missing<Content.ReadingContent, Query.ReadingQueryResult>>().toBeNever()
  expectTypeOf<Missing<Omit<Content.AdvertorialContent, 'id'>, Query.AdvertorialsQueryResult[number]>>().toBeNever()
  expectTypeOf<Missing<Omit<Content.LegalPage, 'id'>, Query.LegalPagesQueryResult[number]>>().toBeNever()
})

test('K-06 every kind of step is a type of the schema with the same fields', () => {
  expectTypeOf<`${Content.StepKind}Step`>().toEqualTypeOf<Step['_type']>()
  expectTypeOf<{ [Kind in Content.StepKind]: MissingIn<Kind> }[Content.StepKind]>().toBeNever()
})

test('K-06 the generated types follow from the schemas and queries as they are', () => {
  const check = fileURLToPath(new URL('../../studio/typegen/check.ts', import.meta.url))
  expect(() => execFileSync(process.execPath, [check], { encoding: 'utf8' })).not.toThrow()
})
