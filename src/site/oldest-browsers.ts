/**
 * The oldest browsers in which everything works: the last ones of devices that get no newer (Chrome on Windows 7 and
 * 8.1, Safari on an iPhone 6s or 7), and the first Firefox with `:has()`. The build lowers syntax and style sheets to
 * them; tests/site/oldest-browsers.test.ts looks for what it cannot lower. Names as the build's tools write them.
 */
export const OLDEST_BROWSERS = { chrome: '109', edge: '109', firefox: '121', safari: '15.6', ios: '15.6' } as const

/** The same for `build.target` of Vite and `target` of esbuild. */
export const BUILD_TARGETS: string[] = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version)
