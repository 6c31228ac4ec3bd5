import type { Picture } from '../../contract/content.ts'
import './avatar.css'

/** A person: the picture an editor uploaded, else initials. Never an invented face (look.md). */
export function Avatar({ name, picture }: { name: string; picture: Picture | null }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return (
    <span className="avatar" aria-hidden="true">
      {picture ? (
        <img src={picture.url} width={picture.width} height={picture.height} alt="" loading="lazy" />
      ) : (
        initials
      )}
    </span>
  )
}
