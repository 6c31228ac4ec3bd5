/** The programs of the image as plain Kubernetes manifests: requests and the work beside them in pods of their own. */
import { PORT } from '../image/build.ts'
import { DEPLOYED, type DeployedProgram, DRAIN_SECONDS, secretsOf } from './programs.ts'
import { type Value, yaml } from './yaml.ts'

/** Replaced when they are applied: a tag, or better a digest. */
const IMAGE = 'registry.example/eye-funnel:latest'
const USER = 10_001
const METRICS_PORT = 9464
const SECRETS = '/etc/eye-funnel/secrets'
/** Replicas under load; each may hold 30 connections to PostgreSQL. */
const MOST_REPLICAS = 6

export interface Manifest {
  [key: string]: Value
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
}

const nameOf = (program: { name: string }): string => `eye-funnel-${program.name}`
const selectorOf = ({ name }: { name: string }): Record<string, string> => ({
  'app.kubernetes.io/name': 'eye-funnel',
  'app.kubernetes.io/component': name,
})
const head = (apiVersion: string, kind: string, program: DeployedProgram): Manifest => ({
  apiVersion,
  kind,
  metadata: { name: nameOf(program), labels: selectorOf(program) },
})

function probe(path: string, period: number, failures: number): Value {
  return {
    httpGet: { path, port: 'http' },
    periodSeconds: period,
    // /readyz answers within 2 s whatever hangs
    timeoutSeconds: 3,
    failureThreshold: failures,
  }
}

/** Of a pod that lasts: asked five times in a drain, like by every balancer. */
const probes = (): Record<string, Value> => ({
  startupProbe: probe('/healthz', 2, 60),
  readinessProbe: probe('/readyz', DRAIN_SECONDS / 5, 2),
  livenessProbe: probe('/healthz', 10, 6),
})

function pod(program: DeployedProgram, lasts: boolean): Value {
  const { runs, stop } = program
  const secrets = secretsOf(program)
  if (!('command' in runs)) throw new Error(`${program.name} is no command of the image`)
  const own: Record<string, string> = lasts
    ? { ROLE: program.role?.name ?? 'web', DRAIN_SECONDS: String(DRAIN_SECONDS), METRICS_PORT: String(METRICS_PORT) }
    : {}
  return {
    metadata: { labels: selectorOf(program) },
    spec: {
      terminationGracePeriodSeconds: stop,
      automountServiceAccountToken: false,
      ...(lasts ? {} : { restartPolicy: 'Never' }),
      securityContext: {
        ...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER },
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(lasts
        ? {
            topologySpreadConstraints: [
              {
                ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
                labelSelector: { matchLabels: selectorOf(program) },
              },
            ],
          }
        : {}),
      containers: [
        {
          name: program.name,
          image: IMAGE,
          args: [runs.command, ...(runs.args ?? [])],
          envFrom: [{ configMapRef: { name: 'eye-funnel' } }],
          env: [
            ...Object.entries(own).map(([name, value]) => ({ name, value })),
            ...secrets.map((name) => ({ name: `${name}_FILE`, value: `${SECRETS}/${name}` })),
          ],
          volumeMounts: [{ name: 'secrets', mountPath: SECRETS, readOnly: true }],
          resources: { requests: { cpu: '250m', memory: '400Mi' }, limits: { memory: '1Gi' } },
          securityContext: {
            ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
            capabilities: { drop: ['ALL'] },
          },
          ...(lasts
            ? {
                ports: [
                  { name: 'http', containerPort: PORT },
                  { name: 'metrics', containerPort: METRICS_PORT },
                ],
                ...probes(),
              }
            : {}),
        },
      ],
      volumes: [
        {
          name: 'secrets',
          // 0440: the group is that of the pod
          secret: {
            secretName: 'eye-funnel',
            defaultMode: 288,
            items: secrets.map((name) => ({ key: name, path: name })),
          },
        },
      ],
    },
  }
}

function deployment(program: DeployedProgram): Manifest {
  return {
    ...head('apps/v1', 'Deployment', program),
    spec: {
      // where load decides, the autoscaler sets the number of replicas
      ...(program.replicas ? {} : { replicas: 1 }),
      selector: { matchLabels: selectorOf(program) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: pod(program, true),
    },
  }
}

/** What is in front of the replicas of a program, and how many there are. */
function around(program: DeployedProgram): Manifest[] {
  const least = program.replicas ?? 1
  return [
    {
      ...head('v1', 'Service', program),
      spec: { selector: selectorOf(program), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    {
      ...head('policy/v1', 'PodDisruptionBudget', program),
      spec: { minAvailable: least - 1, selector: { matchLabels: selectorOf(program) } },
    },
    {
      ...head('autoscaling/v2', 'HorizontalPodAutoscaler', program),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: nameOf(program) },
        minReplicas: least,
        maxReplicas: MOST_REPLICAS,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    },
  ]
}

const named = (name: string): DeployedProgram => DEPLOYED.find((one) => one.name === name)!

/** By file name. The job is a file of its own: it has to be over before the others are replaced. */
export function manifests(): Record<string, Manifest[]> {
  const [service, worker] = [named('service'), named('worker')]
  const job: Manifest = {
    ...head('batch/v1', 'Job', named('migrate')),
    // a job cannot be changed: it makes room for that of the next release
    spec: { backoffLimit: 3, ttlSecondsAfterFinished: 600, template: pod(named('migrate'), false) },
  }
  return {
    'migrate.yaml': [job],
    'eye-funnel.yaml': [deployment(service), ...around(service), deployment(worker)],
  }
}

export function manifestFiles(): Record<string, string> {
  const comment = '# Written by "npm run ops:files" from scripts/deploy/programs.ts.\n'
  return Object.fromEntries(
    Object.entries(manifests()).map(([name, list]) => [name, comment + list.map((one) => yaml(one)).join('---\n')]),
  )
}
