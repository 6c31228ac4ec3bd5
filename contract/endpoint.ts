/** Where an endpoint is found: what api.ts and members.ts are made of. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/api/${string}`
}

export function endpoint(method: Endpoint['method'], path: Endpoint['path']): Endpoint {
  return { method, path }
}
