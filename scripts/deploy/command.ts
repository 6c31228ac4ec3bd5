/** How an operator runs the shop's commands beside the units, with the same settings, secrets and limits. */
import { commands, programOf } from '../image/commands.ts'
import { DEPLOYED, type DeployedProgram } from './programs.ts'
import { environmentOf, HARDENING, INSTALL, writing } from './units.ts'

/** Has a unit, or is for whoever holds the backups. */
const ELSEWHERE = new Set(['service', 'backup', 'restore'])
/** Those of the site's builds, with the publisher's settings. */
const OF_BUILDS = ['site:builds', 'site:rollback', 'site:pin', 'site:unpin'] as const

/** The commands, each with its program and arguments. */
export function operatorsCommands(): Record<'service' | 'publisher', Record<string, string>> {
  return {
    service: Object.fromEntries(Object.entries(commands()).filter(([name]) => !ELSEWHERE.has(name))),
    publisher: Object.fromEntries(OF_BUILDS.map((name) => [name, programOf(name)])),
  }
}

/** As `-p` takes them: what systemd knows by the unit's name alone (`%d`) is written out. */
function properties(program: DeployedProgram): string[] {
  return [
    ...INSTALL,
    // who pins a build is written down
    'Environment=SUDO_USER=${SUDO_USER:-$(id -un)}',
    ...environmentOf(program)
      // a replica's own, which a command would take from it
      .filter((line) => !/^Environment=(PORT|METRICS_PORT|DRAIN_SECONDS)=/.test(line))
      .map((line) => line.replace('%d', '/run/credentials/$unit.service')),
    ...HARDENING,
    ...writing(program),
  ]
}

const quoted = (line: string): string => `    -p "${line.replaceAll('\\', '\\\\')}" \\`

/** The script `eye-funnel`, for root: `eye-funnel doctor`. */
export function commandFile(): string {
  const groups = Object.entries(operatorsCommands())
  const names = groups.flatMap(([, programs]) => Object.keys(programs))
  return [
    '#!/bin/sh',
    '# Written by "npm run ops:files" from scripts/deploy/command.ts. Runs a command of the shop as its user, with the',
    '# settings and secrets of the units: "eye-funnel doctor" is what "npm run doctor" is on a machine of your own.',
    'set -eu',
    'case "${1-}" in',
    ...groups.flatMap(([of, programs]) =>
      Object.entries(programs).map(([name, program]) => `${name}) of=${of} program='${program}' ;;`),
    ),
    `*) echo 'Usage: eye-funnel <command> [argument…], one of: ${names.join(', ')}' >&2; exit 2 ;;`,
    'esac',
    'shift',
    '# as npm wants it, and as the commands print it',
    'if [ "${1-}" = -- ]; then shift; fi',
    'unit=eye-funnel-command-$$',
    '# at a terminal Ctrl-C reaches the command; a pipe gets its output alone',
    'if [ -t 0 ] && [ -t 1 ]; then how=--pty; else how=--pipe; fi',
    'run() {',
    '  exec systemd-run --quiet --collect --wait "$how" --unit="$unit" --service-type=exec "$@"',
    '}',
    'case "$of" in',
    ...groups.flatMap(([of]) => [
      `${of})`,
      '  # the program and its first argument are words without blanks',
      '  # shellcheck disable=SC2086',
      '  run \\',
      ...properties(DEPLOYED.find(({ name }) => name === of)!).map(quoted),
      '    /usr/local/bin/node $program "$@" ;;',
    ]),
    'esac',
    '',
  ].join('\n')
}
