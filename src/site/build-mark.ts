/**
 * The value of `data-of-build` on the inline scripts that our templates write: drawn for each build, which
 * takes it out again (scripts/inline-policy.ts). Content cannot know it, so a script that got in by content
 * is not in the page's policy.
 */
export const buildMark: string | undefined = process.env['BUILD_MARK']
