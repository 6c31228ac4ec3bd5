/** `npm run ops:files`: writes the rules for Prometheus and the dashboard for Grafana into docs/ops. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { dashboardFile } from './alerts/dashboard.ts'
import { rulesFile } from './alerts/prometheus.ts'

new Command('npm run ops:files')
  .description('Writes into docs/ops what hosts need: alert rules, dashboard, units, manifests.')
  .showHelpAfterError()
  .parse()

const folder = new URL('../docs/ops/', import.meta.url)
for (const [name, text] of Object.entries({ 'alerts.rules.yml': rulesFile(), 'dashboard.json': dashboardFile() })) {
  writeFileSync(new URL(name, folder), text)
  console.log(`wrote ${fileURLToPath(new URL(name, folder))}`)
}
