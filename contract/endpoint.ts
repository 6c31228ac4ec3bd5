/** One row of the API: what api.ts and members.ts are made of. */
export interface Endpoint<Request, Response> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  /** Only in types: never set. */
  readonly types?: { request: Request; response: Response }
}

export function endpoint<Request, Response>(
  method: Endpoint<Request, Response>['method'],
  path: Endpoint<Request, Response>['path'],
): Endpoint<Request, Response> {
  return { method, path }
}
