import { expressionOf, RULES } from './rules.ts'

/** A text in YAML, with the quotes that Prettier would choose. */
const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

/** The rules as a file for Prometheus. */
export function rulesFile(): string {
  const rules = RULES.map((rule) =>
    [
      `      - alert: ${rule.name}`,
      `        expr: ${expressionOf(rule)}`,
      `        for: ${rule.lasting}s`,
      '        labels:',
      `          severity: ${rule.severity}`,
      '        annotations:',
      `          summary: ${quoted(rule.summary)}`,
      `          runbook: ${rule.runbook}`,
    ].join('\n'),
  )
  return `# Written by "npm run ops:files" from payments-service/alerts/rules.ts, where the thresholds stand.
groups:
  - name: eye-funnel
    rules:
${rules.join('\n')}
`
}
