/**
 * `npm run attack`: a bounded hostile run against a separate stack on this machine; options are in
 * tests/attack/main.ts.
 */
await import('../tests/attack/main.ts')
export {}
