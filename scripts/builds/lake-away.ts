/** The content could not be read: this says nothing of the content, and the next try may succeed. */
export class LakeAway extends Error {
  override name = 'LakeAway'
}
