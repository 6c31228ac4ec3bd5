import { Button } from './Button.tsx'
import { useReload } from './useReload.ts'

export function ReloadButton() {
  const { busy, reload } = useReload()
  return (
    <Button busy={busy} onClick={reload}>
      Load the page again
    </Button>
  )
}
