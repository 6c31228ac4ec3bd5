/** The method and path of an endpoint, as listed in api.ts and members.ts. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
}

export function endpoint(method: Endpoint['method'], path: Endpoint['path']): Endpoint {
  return { method, path }
}
