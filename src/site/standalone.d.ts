declare module '*?standalone' {
  /** One minified script, see standalone-script.ts. */
  const code: string
  export default code
}
