/** The files for Prometheus and Grafana, and the runbooks, against the table of rules and a real scrape. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardFile } from '../../payments-service/alerts/dashboard.ts'
import { rulesFile } from '../../payments-service/alerts/prometheus.ts'
import { breaches, expressionOf, type Rule, RULES } from '../../payments-service/alerts/rules.ts'
import { createMetricsServer } from '../../payments-service/metrics/listener.ts'
import { root } from '../../scripts/settings.ts'
import { documentAt } from '../support/documents.ts'
import { findPromtool } from '../support/promtool.ts'
import { type RunningService, startService } from './service.ts'

let running: RunningService
let families: Set<string>
beforeAll(async () => {
  running = await startService()
  // what it adds to a scrape belongs to the scrape
  createMetricsServer(running.service.metrics)
  const text = await running.service.metrics.text()
  families = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
})
afterAll(() => running.stop())

/** Names of metrics in an expression; a histogram's parts count as it. */
const metricsIn = (expression: string): string[] =>
  (expression.match(/\b(?:funnel|nodejs|process)_\w+/g) ?? []).map((name) =>
    families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
  )
const unknownIn = (expression: string) => metricsIn(expression).filter((name) => !families.has(name))

test('N-03 docs/ops is what the table of rules and the dashboard make (npm run ops:files)', () => {
  expect(documentAt('docs/ops/alerts.rules.yml')).toBe(rulesFile())
  expect(documentAt('docs/ops/dashboard.json')).toBe(dashboardFile())
})

test('N-03 there are twenty rules, each about a metric that a real scrape has', () => {
  expect(RULES).toHaveLength(20)
  for (const rule of RULES) {
    expect(metricsIn(expressionOf(rule)), rule.name).toEqual([rule.metric])
    expect(unknownIn(expressionOf(rule)), rule.name).toEqual([])
    // one limit, and a look of the service tells above from below as Prometheus does
    expect(
      [rule.above, rule.below].filter((limit) => limit !== undefined),
      rule.name,
    ).toHaveLength(1)
  }
})

test('N-03 every expression of the dashboard asks for metrics that a real scrape has', () => {
  const { panels } = JSON.parse(dashboardFile()) as { panels: { title: string; targets?: { expr: string }[] }[] }
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(25)
  for (const expression of expressions) {
    expect(metricsIn(expression).length, expression).toBeGreaterThan(0)
    expect(unknownIn(expression)).toEqual([])
  }
  const shown = new Set(expressions.flatMap(metricsIn))
  const hidden = [...families].filter((name) => name.startsWith('funnel_') && !shown.has(name))
  expect(hidden.sort()).toEqual(['funnel_database_up', 'funnel_fact_failures_total', 'funnel_loop_overdue_seconds'])
})

/** Pages that no alert leads to, but a person or `npm run doctor`. */
const OTHERS = [
  { name: 'Failover', runbook: 'docs/runbooks/failover.md' },
  { name: 'LogDropped', runbook: 'docs/runbooks/log-dropped.md' },
]

test('N-03 each rule has its runbook, short, about what to look at and do, and none is without a reason', () => {
  const files = readdirSync(join(root, 'docs', 'runbooks')).map((name) => `docs/runbooks/${name}`)
  const all = [...RULES, ...OTHERS]
  expect(files.sort()).toEqual(all.map(({ runbook }) => runbook).sort())
  for (const { name, runbook } of all) {
    const text = documentAt(runbook)
    expect(text.startsWith(`# ${name}\n`), runbook).toBe(true)
    expect(text.match(/^## .*$/gm), runbook).toEqual(['## Look', '## Do'])
    expect(text.split('\n').length, runbook).toBeLessThan(40)
    const links = [...text.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(root, 'docs', 'runbooks', link)))).toEqual([])
  }
})

/** A series of this rule: its labels as PromQL writes them. */
const seriesOf = ({ metric, where, by }: Rule) => {
  const labels = [...(where ? [`${where.label}="${where.is}"`] : []), ...(by ? [`${by}="x"`] : [])]
  return `${metric}{${labels.join(',')}}`
}
const limitOf = ({ above, below }: Rule) => above ?? below ?? 0
/** A value for which it holds: just past the limit. */
const bad = (rule: Rule) => (rule.above === undefined ? limitOf(rule) - 1 : limitOf(rule) + 0.05)

/** A case for `promtool test rules`: silent at the limit, silent before its time, firing after it. */
function promtoolCases(): object {
  const cases = RULES.flatMap((rule) => {
    const labels = { severity: rule.severity, ...(rule.by ? { [rule.by]: 'x' } : {}) }
    const annotations = { summary: rule.summary, runbook: rule.runbook }
    const firing = [{ exp_labels: labels, exp_annotations: annotations }]
    const at = (seconds: number, exp_alerts: object[]) => ({
      eval_time: `${seconds}s`,
      alertname: rule.name,
      exp_alerts,
    })
    const input = (value: number) => [{ series: seriesOf(rule), values: `${value}+0x300` }]
    return [
      { interval: '15s', input_series: input(limitOf(rule)), alert_rule_test: [at(1_800, [])] },
      {
        interval: '15s',
        input_series: input(bad(rule)),
        alert_rule_test: [...(rule.lasting > 0 ? [at(rule.lasting - 15, [])] : []), at(rule.lasting, firing)],
      },
    ]
  })
  return { rule_files: [join(root, 'docs', 'ops', 'alerts.rules.yml')], evaluation_interval: '15s', tests: cases }
}

test.skipIf(!findPromtool())(
  'N-03 promtool: each rule is silent at its limit, and fires past it after its time',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'))
    try {
      const file = join(folder, 'test.yml')
      // JSON is YAML
      writeFileSync(file, JSON.stringify(promtoolCases()))
      const { status, stdout, stderr } = spawnSync(findPromtool() ?? '', ['test', 'rules', file], { encoding: 'utf8' })
      expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

test('N-03 the look of the service holds at the same values as the rules', () => {
  for (const rule of RULES) {
    const { metric: name, where, by } = rule
    const labels = { ...(where ? { [where.label]: where.is } : {}), ...(by ? { [by]: 'x' } : {}) }
    const holds = (value: number, of = labels) => breaches(rule, [{ name, labels: of, value }]).length > 0
    expect([rule.name, holds(limitOf(rule)), holds(bad(rule))]).toEqual([rule.name, false, true])
    if (where) expect(holds(bad(rule), { ...labels, [where.label]: 'another' })).toBe(false)
  }
  expect(readFileSync(join(root, 'docs', 'deploy.md'), 'utf8')).toContain('docs/ops/alerts.rules.yml')
})
