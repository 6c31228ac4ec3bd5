/** `npm run faults`: crashes, partitions, duplicates against the real programs; options are in tests/faults/main.ts. */
await import('../tests/faults/main.ts')
export {}
