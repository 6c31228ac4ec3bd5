/**
 * `npm run attack`: a bounded hostile run against a stack of its own on this machine; options
 * are in tests/attack/main.ts.
 */
await import('../tests/attack/main.ts')
export {}
