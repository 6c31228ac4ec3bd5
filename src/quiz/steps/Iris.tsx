/** Eye colours as drawn irises (S-01): a gradient, two rings of fibres, the dark rim, the pupil and a light. */
const COLOURS: Readonly<Record<string, readonly [rim: string, middle: string, inner: string]>> = {
  amber: ['#7A3F05', '#BE7312', '#EDB04A'],
  blue: ['#163F78', '#4487D4', '#A9D0F5'],
  brown: ['#2B1509', '#64351A', '#9C602F'],
  gray: ['#414D59', '#8491A0', '#CBD4DC'],
  green: ['#234A2C', '#578A4E', '#AFC884'],
  hazel: ['#3F4A20', '#87672B', '#CDA152'],
  // no single colour: drawn as two halves, or as a mix
  heterochromia: ['#163F78', '#4487D4', '#A9D0F5'],
  other: ['#4A2E6B', '#4E9A94', '#E3C16F'],
}

/** The iris of an eye-colour option; an unknown one is drawn as "other". */
export function Iris({ colour }: { colour: string }) {
  const known = COLOURS[colour] ? colour : 'other'
  return (
    <svg className="iris" viewBox="0 0 64 64" aria-hidden="true">
      <Disc name={known} />
      {known === 'heterochromia' && (
        <>
          <clipPath id="iris-half">
            <path d="M32 0h32v64H32z" />
          </clipPath>
          <g clipPath="url(#iris-half)">
            <Disc name="brown" id="iris-second" />
          </g>
        </>
      )}
      <circle cx="32" cy="32" r="10.5" fill="#0A1322" />
      <circle cx="38.5" cy="23.5" r="4.2" fill="#fff" opacity=".92" />
      <circle cx="25" cy="40.5" r="1.9" fill="#fff" opacity=".5" />
    </svg>
  )
}

function Disc({ name, id = `iris-${name}` }: { name: string; id?: string }) {
  const [rim, middle, inner] = COLOURS[name] ?? ['', '', '']
  return (
    <>
      <radialGradient id={id}>
        <stop offset=".3" stopColor={inner} />
        <stop offset=".68" stopColor={middle} />
        <stop offset="1" stopColor={rim} />
      </radialGradient>
      <circle cx="32" cy="32" r="30" fill={`url(#${id})`} />
      <g fill="none">
        <circle cx="32" cy="32" r="20" stroke={inner} strokeWidth="17" strokeDasharray=".5 1.7" opacity=".5" />
        <circle cx="32" cy="32" r="15" stroke="#fff" strokeWidth="9" strokeDasharray=".4 3.3" opacity=".35" />
        <circle cx="32" cy="32" r="28.7" stroke={rim} strokeWidth="2.8" />
      </g>
    </>
  )
}
