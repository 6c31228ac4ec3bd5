/**
 * C-08: where the preview is on this site, with the name that the recording has in the content lake, which is made of
 * its content. The file keeps its name here, and a browser keeps it for a day: another recording needs another address.
 */
export function previewAddress(audioUrl: string | null): string | null {
  return audioUrl && `/audio/day-1-preview.mp3?${new URL(audioUrl).pathname.split('/').at(-1)}`
}
