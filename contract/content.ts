/**
 * The content of the pages as they receive it: what an editor writes in the Studio, parsed, with references resolved.
 * Texts may carry {placeholders}; pages fill them. What a document holds is written in contract/content/; types alone
 * come from there, because a browser loads this file. The documents are fetched and parsed in src/cms.
 */
export type * from './content/articles.ts'
export type * from './content/fields.ts'
export type * from './content/pages.ts'
export type * from './content/pictures.ts'
export type * from './content/quiz.ts'
