import { z } from 'zod'

/** An editor's own sign-in at the content lake, as they show it to our programs. */

const BEARER = /^Bearer ([\w.~+/=-]{16,1000})$/i
export const tokenOf = (authorization: string | undefined): string | undefined => BEARER.exec(authorization ?? '')?.[1]

/** Who may do something in the project has a role there; the Studio lets nobody else in either. */
const member = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  roles: z.array(z.object({ name: z.string().min(1) })).min(1),
})
export type Member = z.infer<typeof member>

/** Undefined for a user of the lake who has no role in the project. */
export const memberOf = (person: unknown): Member | undefined => member.safeParse(person).data

/** Sanity's roles that may publish; a role that a project made up itself may be one that does not. */
const PUBLISHING: ReadonlySet<string> = new Set(['administrator', 'developer', 'editor'])
export const mayPublish = ({ roles }: Member): boolean => roles.some(({ name }) => PUBLISHING.has(name))
