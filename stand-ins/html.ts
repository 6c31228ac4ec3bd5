/** Escapes text for the content and the quoted attributes of HTML; null and undefined become empty. */
export function escapeHtml(value: unknown): string {
  return String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
