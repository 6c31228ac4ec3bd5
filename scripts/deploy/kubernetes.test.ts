/** The Kubernetes manifests: written from the table, and whether their parts name each other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../settings.ts'
import { manifestFiles, manifests } from './kubernetes.ts'
import { DEPLOYED, DRAIN_SECONDS, secretsOf } from './programs.ts'
import { yaml } from './yaml.ts'

/* eslint-disable @typescript-eslint/no-explicit-any -- manifests as a cluster reads them */
const all = Object.values(manifests()).flat() as any[]
const of = (kind: string): any[] => all.filter((one) => one.kind === kind)
const pods = (): any[] =>
  [...of('Deployment'), ...of('Job')].map((one) => ({ ...one.spec.template, of: one.metadata.name }))
/** The pods that a selector chooses. */
const chosen = (selector: Record<string, string>): string[] =>
  pods()
    .filter(({ metadata }) => Object.entries(selector).every(([name, value]) => metadata.labels[name] === value))
    .map((one) => one.of)

test('N-03 docs/ops has the manifests of the table (npm run ops:files)', () => {
  const folder = join(root, 'docs', 'ops', 'kubernetes')
  const files = manifestFiles()
  expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort())
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
})

test('N-03 each manifest chooses its own pods and no other, by labels and names that are there', () => {
  expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Job eye-funnel-migrate',
    'Deployment eye-funnel-service',
    'Service eye-funnel-service',
    'PodDisruptionBudget eye-funnel-service',
    'HorizontalPodAutoscaler eye-funnel-service',
    'Deployment eye-funnel-worker',
  ])
  for (const { metadata, spec } of of('Deployment')) expect(chosen(spec.selector.matchLabels)).toEqual([metadata.name])
  for (const { spec } of of('Service')) expect(chosen(spec.selector)).toEqual(['eye-funnel-service'])
  for (const { spec } of of('PodDisruptionBudget')) {
    expect(chosen(spec.selector.matchLabels)).toEqual(['eye-funnel-service'])
    // at least one may always be moved, and one always stays
    const { replicas } = DEPLOYED.find(({ name }) => name === 'service')!
    expect([spec.minAvailable, replicas]).toEqual([1, 2])
  }
  const [scaler] = of('HorizontalPodAutoscaler')
  const target = all.find(
    ({ metadata, kind }) => kind === 'Deployment' && metadata.name === scaler.spec.scaleTargetRef.name,
  )
  expect(target.spec.replicas, 'the number of replicas belongs to the autoscaler').toBeUndefined()
})

test('N-03 pods get the secrets, the stop and the rights of the table, and leave the balancer within a drain', () => {
  for (const { spec, of: name } of pods()) {
    const program = DEPLOYED.find((one) => `eye-funnel-${one.name}` === name)!
    const [container] = spec.containers
    const given = container.env.map((one: { name: string }) => one.name)
    expect(given).toEqual(expect.arrayContaining(secretsOf(program).map((secret) => `${secret}_FILE`)))
    const [{ secret }] = spec.volumes
    const [{ mountPath }] = container.volumeMounts
    for (const { name: variable, value } of container.env.filter((one: any) => one.name.endsWith('_FILE')))
      expect(secret.items).toContainEqual({ key: variable.slice(0, -5), path: value.slice(mountPath.length + 1) })
    expect(spec.terminationGracePeriodSeconds).toBe(program.stop)
    expect(spec.securityContext.runAsNonRoot && container.securityContext.readOnlyRootFilesystem).toBe(true)
    expect(container.securityContext.capabilities.drop).toEqual(['ALL'])
    if (name === 'eye-funnel-migrate') continue
    const { periodSeconds, failureThreshold, httpGet } = container.readinessProbe
    expect(periodSeconds * failureThreshold).toBeLessThan(DRAIN_SECONDS)
    expect(httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  }
  const role = (name: string) =>
    pods()
      .find((one) => one.of === name)
      .spec.containers[0].env.find((one: any) => one.name === 'ROLE')?.value
  expect([role('eye-funnel-service'), role('eye-funnel-worker'), role('eye-funnel-migrate')]).toEqual([
    'web',
    'worker',
    undefined,
  ])
})

test('a string that YAML would read as something else is in quotes', () => {
  const values = { a: '10', b: 'yes', c: "it's", d: ['x', 1], e: [{ f: true, g: [] }], h: 'a b' }
  expect(yaml(values)).toBe("a: '10'\nb: 'yes'\nc: 'it''s'\nd: [x, 1]\ne:\n  - f: true\n    g: []\nh: 'a b'\n")
})
