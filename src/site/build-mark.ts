/**
 * The value of `data-of-build` on the inline scripts in our templates: random for each build, which removes it again
 * (scripts/inline-policy.ts). Content cannot know it, so a script injected through content is not in the page's policy.
 */
export const buildMark: string | undefined = process.env['BUILD_MARK']
