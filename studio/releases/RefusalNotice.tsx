import { useSyncExternalStore } from 'react'
import { pathText } from '../check/finding.ts'
import { Problems } from '../structure/Problems.tsx'
import { Notice } from '../structure/SiteStatus.styles.ts'
import { lastRefusal, onRefusal, tellRefusal } from './refusals.ts'

/** Why a release was neither run nor scheduled: the faults by step and field, each with a link into the release. */
export function RefusalNotice() {
  const refusal = useSyncExternalStore(onRefusal, lastRefusal)
  if (!refusal) return null
  const { errors, documents, release } = refusal
  const problems = errors.map(({ path, ...error }) => ({ ...error, path: pathText(path) }))
  return (
    <Notice role="alert" data-broken>
      <b>The release stays as it is: with it the site would be broken.</b>
      <Problems problems={problems} documents={documents} release={release} />
      <button type="button" onClick={() => tellRefusal(undefined)}>
        Close
      </button>
    </Notice>
  )
}
