import { getSettings } from '../cms/content.ts'

/** The web manifest: name and icons for a phone's home screen. */
export async function GET(): Promise<Response> {
  const { brandName } = await getSettings()
  const manifest = {
    name: brandName,
    short_name: brandName,
    start_url: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
  return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } })
}
