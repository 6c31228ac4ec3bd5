import type { Finding, LaunchCode } from '../check/finding.ts'

/** What a launch waits for, in the order of the list. */
const HEADINGS: Readonly<Record<LaunchCode, string>> = {
  unmet_duty: 'Duties that are not met where you sell',
  no_label: 'Advertorials that do not say what they are',
  missing_days: 'Days of the programme that buyers would not find',
  claim_without_source: 'Statements without a source',
  saving_not_in_catalogue: 'Savings that do not follow from the prices',
  example_address: 'Addresses that exist only in examples',
  sample_content: 'Sample content: replace it with your own, then switch the mark off',
}

/** The parts of the list before a launch, none once it is ready: what is a note alone stops nothing. */
export function launchList(findings: readonly Finding[]) {
  const broken = findings.filter(({ level }) => level === 'error')
  const launch = findings.filter(({ level }) => level === 'launch')
  const groups = Object.entries(HEADINGS).map(([code, title]) => ({
    title,
    findings: launch.filter((finding) => finding.code === code),
    brief: code === 'sample_content',
  }))
  return [{ title: 'Broken: the site keeps its last good state', findings: broken, brief: false }, ...groups].filter(
    (part) => part.findings.length > 0,
  )
}
