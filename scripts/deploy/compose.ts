/** The programs of the image as a Compose file, behind nginx with the site. */
import { OPTIONAL_SECRETS } from '../../db/secret-files.ts'
import { PORT } from '../image/build.ts'
import { DEPLOYED, type DeployedProgram, DRAIN_SECONDS, secretsOf } from './programs.ts'

const list = (values: readonly string[]): string => `[${values.map((one) => `'${one}'`).join(', ')}]`

/** The containers of a program; replicas by number, so that they can be replaced in turn. */
function namesOf({ name, replicas }: DeployedProgram): string[] {
  return replicas ? Array.from({ length: replicas }, (_, index) => `${name}-${index + 1}`) : [name]
}

function containers(program: DeployedProgram): string[] {
  const { name, runs, when, stop, writes, optional, role } = program
  const secrets = secretsOf(program)
  if (!('command' in runs)) return []
  const serves = name === 'service'
  const lines = [
    '    <<: *program',
    `    command: ${list([runs.command, ...(runs.args ?? [])])}`,
    // neither the job nor the backup comes back by itself
    ...(when ? ["    restart: 'no'"] : []),
    `    stop_grace_period: ${stop}s`,
    ...(optional ? [`    profiles: ['${optional}']`] : []),
    '    environment:',
    ...(serves ? [`      DRAIN_SECONDS: '${DRAIN_SECONDS}'`] : []),
    ...(role ? [`      ROLE: '${role.name}'`] : []),
    ...secrets.map((secret) => `      ${secret}_FILE: /run/secrets/${secret}`),
    '    secrets:',
    ...secrets.map((secret) => `      - ${secret}`),
    ...(serves || role
      ? [
          '    depends_on:',
          '      migrate: { condition: service_completed_successfully }',
          '    healthcheck:',
          ...['      test:', "        - 'CMD'", "        - 'node'", "        - '-e'"],
          `        - "${probe(`http://127.0.0.1:${PORT}/readyz`)}"`,
          ...['      interval: 5s', '      timeout: 3s', '      retries: 2', '      start_period: 60s'],
        ]
      : []),
    ...(writes ? [`    volumes: ['./${writes}:/var/lib/eye-funnel/${writes}']`] : []),
  ]
  return namesOf(program).map((one) => [`  ${one}:`, ...lines].join('\n'))
}

/** A program for `node -e`, which ends with 0 where the address answers well: the image has no curl. */
export const probe = (address: string): string =>
  `fetch('${address}').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`

function balancer(): string {
  const replicas = DEPLOYED.filter(({ name }) => name === 'service').flatMap(namesOf)
  return [
    '  balancer:',
    '    image: docker.io/library/nginx:stable',
    '    restart: unless-stopped',
    '    logging: *logs',
    "    ports: ['127.0.0.1:8080:8080']",
    "    volumes: ['./site:/usr/share/nginx:ro']",
    '    configs: [{ source: site, target: /etc/nginx/conf.d/default.conf }]',
    '    depends_on:',
    ...replicas.map((one) => `      ${one}: { condition: service_healthy }`),
  ].join('\n')
}

export function composeFile(): string {
  const servers = DEPLOYED.filter(({ name }) => name === 'service')
    .flatMap(namesOf)
    .map((one) => `${one}:${PORT}`)
  const parts = DEPLOYED.filter(({ runs }) => 'command' in runs)
  const secrets = [...new Set(parts.flatMap(secretsOf))]
  return `# Written by "npm run ops:files" from scripts/deploy/programs.ts.
# Beside it: service.env; secrets/NAME readable by user 10001, empty for these where there is none:
#   ${OPTIONAL_SECRETS.join(' ')}
# and the site, built from here by
#   API_SERVERS=${servers.join(',')} SITE_LINK=$PWD/site/html SITE_BUILDS=$PWD/site/builds \\
#     npm --prefix CHECKOUT run build
# TLS ends in front of the balancer. Without backups by the database's host: --profile backups.
# With ROLE=web in service.env the work beside requests has a container of its own: --profile worker.
name: eye-funnel

x-program: &program
  image: \${EYE_FUNNEL_IMAGE:-localhost/eye-funnel:latest}
  restart: unless-stopped
  read_only: true
  cap_drop: ['ALL']
  security_opt: ['no-new-privileges:true']
  logging: &logs { driver: local, options: { max-size: 20m, max-file: '5' } }
  env_file: [service.env]

services:
${[...parts.flatMap(containers), balancer()].join('\n\n')}

configs:
  site:
    content: include /usr/share/nginx/html/nginx.conf;

secrets:
${secrets.map((secret) => `  ${secret}: { file: ./secrets/${secret} }`).join('\n')}
`
}
