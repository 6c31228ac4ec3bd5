/**
 * What the Studio and the client ask besides data: users, the project, its datasets.
 * Answers of a project of one person.
 */
import { readFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { badRequest, notFound, unauthorized } from './errors.ts'
import { EDITOR_ID, newSignIn, userOf } from './identity.ts'
import { readJson, sendJson, type Call } from './http.ts'
import type { Lake } from './lake.ts'

const ALL = ['create', 'read', 'update', 'delete', 'history', 'editHistory', 'manage']
const MAX_KEYS = 200

export async function project(lake: Lake, call: Call): Promise<void> {
  const { method, res } = call
  const parts = call.path.split('/').filter(Boolean)
  const is = (...pattern: string[]) =>
    pattern.length === parts.length && pattern.every((part, i) => part === '*' || part === parts[i])
  const known = call.who.readAll
  const mine =
    is('projects', '*', '*', '*') ||
    is('projects', '*', '*') ||
    is('projects', '*') ||
    is('projects', '*', '*', '*', '*')
  if (mine && parts[1] !== lake.projectId) throw notFound('Project not found')

  if (is('users', 'me')) {
    if (!known) throw unauthorized()
    return sendJson(res, 200, userOf(call.who))
  }
  if (parts[0] === 'users' && parts[1] === 'me' && parts[2] === 'keyvalue') return keyValue(lake, call, parts[3] ?? '')
  if (is('users', '*') && known) {
    const users = (parts[1] as string)
      .split(',')
      .slice(0, 100)
      .map((id) => ({ ...userOf({ ...call.who, id }), displayName: userOf({ ...call.who, id }).name, imageUrl: null }))
    return sendJson(res, 200, users.length > 1 ? users : users[0])
  }
  if (is('auth', 'id')) return sendJson(res, 200, { id: known ? call.who.id : null })
  if (is('auth', 'providers')) return sendJson(res, 200, { providers: [], thirdPartyLogin: false, sso: {} })
  // Sanity trades the id that a login page hands back for a token; here the page's origin is the login
  if (is('auth', 'fetch')) {
    if (call.who.id !== EDITOR_ID) throw unauthorized()
    return sendJson(res, 200, { token: newSignIn() })
  }
  if (is('auth', 'logout') && method === 'POST') return void res.writeHead(204).end()
  if (is('projects', '*', 'datasets', '*', 'acl')) {
    return sendJson(
      res,
      200,
      known
        ? [{ filter: '_id in path("**")', permissions: ALL }]
        : [{ filter: '_id in path("*")', permissions: ['read'] }],
    )
  }
  if (is('projects', '*', 'datasets', '*') || is('datasets', '*')) return dataset(lake, call, parts.at(-1) as string)
  if (is('projects', '*', 'datasets') || is('datasets')) {
    // Comments are stored in a second dataset, which does not exist here.
    const names = call.query.has('datasetProfile') ? [] : lake.names()
    return sendJson(
      res,
      200,
      names.map((name) => ({ name, aclMode: 'public', tags: [], features: [] })),
    )
  }
  if (is('projects', '*', 'grants'))
    return sendJson(
      res,
      200,
      known
        ? { 'sanity.document.filter.mode': [{ grants: ALL.map((name) => ({ name, params: {} })), config: {} }] }
        : {},
    )
  if (is('projects', '*', 'user-applications') || is('journey', 'announcements')) return sendJson(res, 200, [])
  if (is('projects', '*') && known) return sendJson(res, 200, describe(lake, call))
  if (is('features') || is('projects', '*', 'features')) return sendJson(res, 200, ['contentReleases'])
  if (is('projects', '*', 'new-content-release-allowed')) {
    const limits = { datasetReleaseLimit: 1_000, orgActiveReleaseLimit: null, orgMeteredActiveReleaseCount: 0 }
    return sendJson(res, 200, { data: limits })
  }
  if (parts[0] === 'schedules') return sendJson(res, 200, { schedules: [] })
  if (is('intake', 'telemetry-status')) return sendJson(res, 200, { status: 'denied' })
  if (is('intake', 'batch')) return sendJson(res, 200, {})
  if (is('check', 'cors')) return sendJson(res, 200, { result: { allowed: true, withCredentials: true } })
  if (is('ping')) return sendJson(res, 200, { pong: true })
  throw notFound(`No such endpoint: ${method} ${call.path.slice(0, 200)}`)
}

function describe(lake: Lake, call: Call) {
  return {
    id: lake.projectId,
    displayName: 'Embedded content',
    organizationId: null,
    members: [{ ...userOf(call.who), isCurrentUser: true, isRobot: call.who.id !== EDITOR_ID }],
    features: [],
    metadata: {},
    studioHost: null,
    isBlocked: false,
    isDisabled: false,
    isDisabledByUser: false,
    activityFeedEnabled: false,
  }
}

async function dataset(lake: Lake, call: Call, name: string): Promise<void> {
  if (call.method === 'GET' || call.method === 'HEAD') {
    lake.dataset(name)
    return sendJson(call.res, 200, { name, aclMode: 'public' })
  }
  if (!call.who.write) throw unauthorized()
  if (call.method === 'PUT') {
    await lake.create(name)
    return sendJson(call.res, 200, { datasetName: name, aclMode: 'public' })
  }
  if (call.method === 'DELETE') {
    await lake.remove(name)
    return sendJson(call.res, 200, { deleted: true })
  }
  throw badRequest('A dataset can be created and deleted')
}

const stores = new WeakMap<Lake, Promise<Record<string, unknown>>>()

/**
 * The Studio's own settings (recent searches, pane layouts): nothing depends on them, so
 * they are written without fsync.
 */
async function keyValue(lake: Lake, call: Call, keys: string): Promise<void> {
  if (!call.who.readAll) throw unauthorized()
  const file = join(lake.folder, 'studio-settings.json')
  let store = stores.get(lake)
  if (!store) {
    store = readFile(file, 'utf8')
      .then((text) => JSON.parse(text) as Record<string, unknown>)
      .catch(() => ({}))
    stores.set(lake, store)
  }
  const values = await store
  if (call.method !== 'PUT') {
    const wanted = keys
      .split(',')
      .slice(0, MAX_KEYS)
      .filter((key) => Object.hasOwn(values, key))
    return sendJson(
      call.res,
      200,
      wanted.map((key) => ({ key, value: values[key] })),
    )
  }
  const given: unknown = await readJson(call.req)
  const pairs = (Array.isArray(given) ? given : [given]) as { key?: unknown; value?: unknown }[]
  for (const { key, value } of pairs) {
    if (typeof key !== 'string' || key.length > 200 || key === '__proto__')
      throw badRequest('"key" must be a string of at most 200 characters')
    if (!Object.hasOwn(values, key) && Object.keys(values).length >= MAX_KEYS) throw badRequest('Too many keys')
    values[key] = value
  }
  writeFileSync(file, JSON.stringify(values))
  sendJson(call.res, 200, pairs)
}
