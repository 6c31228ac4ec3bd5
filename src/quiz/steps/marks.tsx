/** Small drawn marks of lists. */
export function Tick() {
  return (
    <svg className="mark" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill="#E6F6EF" />
      <path d="m7 12.4 3.3 3.3L17 9" stroke="#0B7A55" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

export function Warn() {
  return (
    <svg className="mark" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill="#FDECEA" />
      <path d="M12 6.5v7M12 17.2v.1" stroke="#B42318" strokeWidth="2.8" strokeLinecap="round" />
    </svg>
  )
}
