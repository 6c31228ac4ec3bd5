/** The Kubernetes manifests: written from the table, and whether their parts name each other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
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

/**
 * What TypeScript has against each of these manifests, by the types that are made of Kubernetes' own OpenAPI document.
 */
function refused(list: readonly any[]): string[][] {
  const file = join(root, 'scripts', 'deploy', 'manifests.ts')
  const lines = list.map((one, at) => {
    const group = one.apiVersion.includes('/') ? one.apiVersion : `core/${one.apiVersion}`
    return `export const _${at}: import('kubernetes-types/${group}').${one.kind} = ${JSON.stringify(one)}`
  })
  const { Bundler: moduleResolution } = ts.ModuleResolutionKind
  const quick = { types: [], lib: ['lib.es2022.d.ts'], skipLibCheck: true, noEmit: true }
  const options = { ...quick, strict: true, module: ts.ModuleKind.ESNext, moduleResolution }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), version) : getSourceFile(name, version, ...rest)
  const found: string[][] = list.map(() => [])
  for (const one of ts.getPreEmitDiagnostics(ts.createProgram([file], options, host))) {
    const line = one.file?.fileName === file ? one.file.getLineAndCharacterOfPosition(one.start ?? 0).line : 0
    found[line]?.push(ts.flattenDiagnosticMessageText(one.messageText, ' '))
  }
  return found
}

test('N-03 Kubernetes knows every field of them, in the versions that they name, and no field is missing', () => {
  const broken = (kind: string, change: (one: any) => void): any => {
    const copy = structuredClone(of(kind)[0])
    change(copy)
    return copy
  }
  const mistakes = [
    broken('Job', ({ spec }) => (spec.template.spec.containers[0].readynessProbe = {})),
    broken('Deployment', ({ spec }) => delete spec.selector),
    broken('Service', ({ spec }) => (spec.ports[0].port = '80')),
    broken('PodDisruptionBudget', (one) => (one.apiVersion = 'policy/v9')),
  ]
  const found = refused([...all, ...mistakes])
  expect(found.slice(0, all.length)).toEqual(all.map(() => []))
  expect(found.slice(all.length).map((ones) => ones.join())).toEqual([
    expect.stringMatching(/readynessProbe.* does not exist/),
    expect.stringContaining("'selector' is missing"),
    expect.stringContaining('not assignable to type'),
    expect.stringContaining('policy/v9'),
  ])
})

test('a string that YAML would read as something else is in quotes', () => {
  const values = { a: '10', b: 'yes', c: "it's", d: ['x', 1], e: [{ f: true, g: [] }], h: 'a b' }
  expect(yaml(values)).toBe("a: '10'\nb: 'yes'\nc: 'it''s'\nd: [x, 1]\ne:\n  - f: true\n    g: []\nh: 'a b'\n")
})
