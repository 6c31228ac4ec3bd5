import { useEffect, useState } from 'react'
import { browserConfig } from '../session/client.ts'
import { isPreticked } from '../funnel/visitor.ts'
import type { FunnelSettings } from '../funnel/page-settings.ts'

/** C-11: the checkbox, pre-ticked by region until the visitor touches it; ticked again by hand it no longer is. */
export function useMarketingConsent(settings: FunnelSettings) {
  const [preticked, setPreticked] = useState(false)
  const [chosen, choose] = useState<boolean | null>(null)
  useEffect(() => {
    void browserConfig().then((outcome) => {
      if (outcome.ok) setPreticked(isPreticked(settings.marketingPretickedCountries, outcome.data.country))
    })
  }, [settings.marketingPretickedCountries])
  return [{ granted: chosen ?? preticked, preticked: !chosen && preticked }, choose] as const
}
