import type { ReactNode } from 'react'
import type { Drawing } from '../../contract/drawings.ts'

/** Drawn icons of options, by the names that editors choose: two blues, one warm accent, one line weight. */
const INK = '#0B1B33'
const BLUE = '#1A75FF'
const PALE = '#CFE2FF'
const WARM = '#FFB454'

const rays = (
  <path
    d="M20 4v4M20 32v4M4 20h4M32 20h4M8.7 8.7l2.8 2.8M28.5 28.5l2.8 2.8M8.7 31.3l2.8-2.8M28.5 11.5l2.8-2.8"
    stroke={WARM}
  />
)
const glasses = (
  <>
    <circle cx="11" cy="22" r="7" fill={PALE} />
    <circle cx="29" cy="22" r="7" fill={PALE} />
    <path d="M18 21c1-1.5 3-1.5 4 0M4 21 7 12M36 21l-3-9" />
  </>
)
const lens = (
  <>
    <path d="M6 17c0 9 6 15 14 15s14-6 14-15c-4 3-9 4-14 4S10 20 6 17Z" fill={PALE} />
    <path d="M6 17c3-4 8-6 14-6s11 2 14 6" />
  </>
)
const lampShade = (fill: string) => <path d="M14 6h12l6 14H8Z" fill={fill} />
const lampFoot = <path d="M20 20v12M13 34h14" />

/** The outline of an eye with its iris; symptom icons are drawn on it. */
function Eye({ iris = BLUE, white = '#fff', children }: { iris?: string; white?: string; children?: ReactNode }) {
  return (
    <>
      <path d="M3 21c5-8 10.5-11 17-11s12 3 17 11c-5 8-10.5 11-17 11S8 29 3 21Z" fill={white} />
      <circle cx="20" cy="21" r="7" fill={iris} stroke="none" />
      <circle cx="20" cy="21" r="3.2" fill={INK} stroke="none" />
      <circle cx="22.5" cy="18.5" r="1.4" fill="#fff" stroke="none" />
      {children}
    </>
  )
}

const ICONS: Readonly<Record<Drawing, ReactNode>> = {
  sunrise: (
    <>
      <path d="M11 28a9 9 0 0 1 18 0" fill={WARM} stroke={WARM} />
      <path d="M4 29h32M20 8v6M8 15l3.5 3.5M32 15l-3.5 3.5" />
    </>
  ),
  sun: (
    <>
      <circle cx="20" cy="20" r="7.5" fill={WARM} stroke={WARM} />
      {rays}
    </>
  ),
  moon: (
    <>
      <path d="M28 25.5A12 12 0 1 1 17 8a10 10 0 0 0 11 17.5Z" fill={BLUE} stroke={BLUE} />
      <path d="M28 9v5M25.5 11.5h5" stroke={WARM} />
    </>
  ),
  screen: (
    <>
      <rect x="4" y="8" width="32" height="20" rx="3" fill={PALE} />
      <path d="M14 34h12M20 28v6" />
      <path d="M20 13v5l4 2.5" stroke={BLUE} />
    </>
  ),
  book: (
    <>
      <path d="M20 12c-4-3-9-4-15-4v22c6 0 11 1 15 4 4-3 9-4 15-4V8c-6 0-11 1-15 4Z" fill={PALE} />
      <path d="M20 12v22" />
      <path d="M10 15c2 .2 4 .7 5.5 1.3M10 21c2 .2 4 .7 5.5 1.3" stroke={BLUE} />
    </>
  ),
  glare: (
    <>
      <path d="M3 25c4-6 8-8 13-8s9 2 13 8c-4 6-8 8-13 8s-9-2-13-8Z" fill="#fff" />
      <circle cx="16" cy="25" r="5" fill={BLUE} stroke="none" />
      <circle cx="31" cy="9" r="4.5" fill={WARM} stroke={WARM} />
      <path d="M22 9h1.5M31 17v1.5M25 15l1-1" stroke={WARM} />
    </>
  ),
  glasses,
  'contact-lens': lens,
  'glasses-and-lens': (
    <>
      <g transform="translate(-1 -5) scale(.78)" strokeWidth="2.8">
        {glasses}
      </g>
      <g transform="translate(17 16) scale(.58)" strokeWidth="3.6">
        {lens}
      </g>
    </>
  ),
  eye: <Eye />,
  smartphone: (
    <>
      <rect x="12" y="4" width="16" height="32" rx="4" fill={PALE} />
      <path d="M18 31h4" />
    </>
  ),
  laptop: (
    <>
      <rect x="7" y="8" width="26" height="18" rx="3" fill={PALE} />
      <path d="M3 31h34" />
    </>
  ),
  tablet: (
    <>
      <rect x="7" y="5" width="26" height="30" rx="4" fill={PALE} />
      <circle cx="20" cy="31" r="1" fill={INK} />
    </>
  ),
  television: (
    <>
      <rect x="3" y="9" width="34" height="20" rx="3" fill={PALE} />
      <path d="M12 34h16" />
    </>
  ),
  'e-reader': (
    <>
      <rect x="9" y="4" width="22" height="32" rx="4" fill={PALE} />
      <path d="M14 11h12M14 16h12M14 21h8" stroke={BLUE} />
    </>
  ),
  gamepad: (
    <>
      <path d="M12 12h16c6 0 9 6 9 12 0 5-5 7-8 3l-2-3H13l-2 3c-3 4-8 2-8-3 0-6 3-12 9-12Z" fill={PALE} />
      <path d="M13 15v6M10 18h6" />
      <path d="M26 17v.1M29 20v.1" stroke={BLUE} strokeWidth="3.5" />
    </>
  ),
  daylight: (
    <>
      <rect x="6" y="5" width="28" height="30" rx="3" fill={PALE} />
      <circle cx="20" cy="20" r="5.5" fill={WARM} stroke={WARM} />
      <path d="M20 5v8M20 27v8M6 20h7M27 20h7" />
    </>
  ),
  'lamp-bright': (
    <>
      {lampShade(WARM)}
      {lampFoot}
      <path d="M5 26l-2 3M35 26l2 3M10 26v4M30 26v4" stroke={WARM} />
    </>
  ),
  'lamp-dim': (
    <>
      {lampShade('#DCE5F2')}
      {lampFoot}
    </>
  ),
  'lamp-mixed': (
    <>
      <g transform="translate(-6 3) scale(.9)">
        {lampShade(WARM)}
        {lampFoot}
      </g>
      <circle cx="31" cy="11" r="4" fill={BLUE} stroke={BLUE} />
      <path d="M31 3.5v-.1M38 11h.1M36 6l.1-.1M25 6l-.1-.1" stroke={BLUE} />
    </>
  ),
  'eye-blurry': (
    <g>
      <path
        d="M3 21c5-8 10.5-11 17-11s12 3 17 11c-5 8-10.5 11-17 11S8 29 3 21Z"
        fill={PALE}
        stroke="#8FBDFF"
        strokeWidth="4"
      />
      <circle cx="20" cy="21" r="8" fill={BLUE} opacity=".35" stroke="none" />
      <circle cx="20" cy="21" r="5.5" fill={BLUE} opacity=".5" stroke="none" />
      <circle cx="20" cy="21" r="3" fill={INK} opacity=".6" stroke="none" />
    </g>
  ),
  'eye-red': (
    <Eye white="#FFE3DF">
      <path
        d="M6 21c2 0 3-1.5 4.5-1M9 26c1.5-1.2 2.5-.8 3.5-1.8M9.5 15.5c1.5.8 2 1.8 3.5 1.8
          M34 21c-2 0-3-1.5-4.5-1M31 26c-1.5-1.2-2.5-.8-3.5-1.8M30.5 15.5c-1.5.8-2 1.8-3.5 1.8"
        stroke="#D43A2C"
        strokeWidth="1.5"
      />
    </Eye>
  ),
  'eye-strain': (
    <>
      <path d="M3 20c5 8.5 10.5 11 17 11s12-2.5 17-11Z" fill="#fff" />
      <path d="M13 20a7 7 0 0 0 14 0Z" fill={BLUE} stroke="none" />
      <path d="M3 20h34M9 12l3 3M20 9v4M31 12l-3 3" />
      <path d="M10 36c3-1.5 5-2 10-2s7 .5 10 2" stroke="#8FBDFF" />
    </>
  ),
  'eye-headache': (
    <>
      <path d="M11 36v-5c-4-3-6-7-6-12C5 11 11 5 19 5s14 6 14 13l3 6-4 1v4c0 2-1 3-3 3h-3v4" fill={PALE} />
      <path d="m21 10-6 8h7l-5 8" stroke="#D43A2C" strokeWidth="2.8" />
    </>
  ),
}

export function Icon({ name }: { name: string }) {
  return (
    <svg
      viewBox="0 0 40 40"
      fill="none"
      stroke={INK}
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {ICONS[name as keyof typeof ICONS] ?? <Eye />}
    </svg>
  )
}
