/** The publish check before every build (K-05): all public content is checked by the rules of the Studio. */
import { createClient } from '@sanity/client'
import { isAway } from '../contract/published.ts'
import { pathText, type Document, type Finding } from '../studio/check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../studio/check/rules.ts'
import { LakeAway } from './builds/lake-away.ts'
import type { PublishedDocument } from './builds/published.ts'

/** Of what was checked and found sound, each document's revision by its id. */
export type Revisions = Readonly<Record<string, string>>

export const revisionsOf = (documents: readonly Document[]): Revisions =>
  Object.fromEntries(documents.map(({ _id, _rev }) => [_id, String(_rev)]))

/** Whether exactly these documents, all that a build reads without a token, were checked as they are. */
export function isChecked(checked: Revisions, documents: readonly PublishedDocument[]): boolean {
  // an id with a dot is not public
  const seen = Object.keys(checked).filter((id) => !id.includes('.'))
  return seen.length === documents.length && documents.every(({ _id, _rev }) => checked[_id] === _rev)
}

/**
 * Whether the build is for visitors, so that its content has to be proved the owner's own (K-05): always with a
 * configured project, and wherever NODE_ENV says production, so that a forgotten SANITY_PROJECT_ID does not put sample
 * content online either. ALLOW_SAMPLE_CONTENT=1 marks a trial.
 */
export function isForVisitors(configured: Readonly<Record<string, string | undefined>>): boolean {
  if (configured['ALLOW_SAMPLE_CONTENT']) return false
  return Boolean(configured['SANITY_PROJECT_ID']) || configured['NODE_ENV'] === 'production'
}

/**
 * Resolves with what was checked; rejects when published content is broken, with LakeAway when it does not answer.
 * `launch` also requires content that is proved the owner's own, as a site for real visitors needs. The message names
 * document, field and reason of every problem (K-06).
 */
export async function checkContent(contentEnv: Record<string, string>, launch = false): Promise<Revisions> {
  const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset = 'production', SANITY_API_HOST: apiHost } = contentEnv
  if (!projectId) return {}
  const client = createClient({
    projectId,
    dataset,
    apiVersion: '2026-03-01',
    perspective: 'published',
    useCdn: false,
    ...(apiHost ? { apiHost, useProjectHostname: false } : {}),
  })
  const documents = await client.fetch<Document[]>(CONTENT_QUERY).catch((cause: unknown) => {
    const Fault = isAway((cause as { statusCode?: unknown }).statusCode) ? LakeAway : Error
    throw new Fault(`The content to check could not be read (${String(cause)})`, { cause })
  })
  const findings = checkDataset(documents, 'public')
  const broken = findings.filter(({ level }) => level === 'error')
  if (broken.length > 0) throw new Error(`Published content is broken:\n${lines(broken)}`)
  const open = launch ? findings.filter(({ level }) => level === 'launch') : []
  if (open.length > 0) {
    throw new Error(
      `Not ready for visitors, ${open.length} places are sample content or lack a source. They are in the ` +
        `Studio under “Before launch”; for a trial deployment set ALLOW_SAMPLE_CONTENT=1.\n${lines(open)}`,
    )
  }
  return revisionsOf(documents)
}

function lines(findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ documentType, documentId, path, message }) =>
      `  ${documentType} "${documentId}"${path.length > 0 ? `, field ${pathText(path)}` : ''}: ${message}`,
  )
  return rows.join('\n')
}
