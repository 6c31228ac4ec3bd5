/** Media types by file extension. Anything else is served as a download. */
const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  vtt: 'text/vtt',
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  zip: 'application/zip',
}

export const mediaType = (extension: string): string => TYPES[extension.toLowerCase()] ?? 'application/octet-stream'

/** The extension of a file name, lower case, at most 10 letters or digits; else from the media type; else `bin`. */
export function extensionOf(filename: string, contentType = ''): string {
  const ending = /\.([a-zA-Z0-9]{1,10})$/.exec(filename)?.[1]?.toLowerCase()
  if (ending) return ending
  const type = (contentType.split(';')[0] ?? '').trim()
  return Object.keys(TYPES).find((extension) => TYPES[extension] === type) ?? 'bin'
}
