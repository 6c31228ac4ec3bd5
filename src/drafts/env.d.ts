interface ImportMetaEnv {
  /** True in the draft deployment alone; a constant, so that other builds drop what depends on it. */
  readonly SITE_DRAFTS?: boolean
}
