/**
 * The content of the pages as they get it: what an editor writes in the Studio, parsed, with references resolved. Texts
 * may contain {placeholders}, which pages fill. The documents are defined in contract/content/; only types come from
 * there, because browsers load this file. They are fetched and parsed in src/cms.
 */
export type * from './content/articles.ts'
export type * from './content/fields.ts'
export type * from './content/pages.ts'
export type * from './content/pictures.ts'
export type * from './content/quiz.ts'
