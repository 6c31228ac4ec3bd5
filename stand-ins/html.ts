/** Text made safe for the content and for the quoted attributes of HTML; what is null or undefined is empty. */
export function escapeHtml(value: unknown): string {
  return String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
