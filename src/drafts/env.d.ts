interface ImportMetaEnv {
  /** True in the draft deployment alone; a constant, so that other builds lose what stands behind it. */
  readonly SITE_DRAFTS?: boolean
}
