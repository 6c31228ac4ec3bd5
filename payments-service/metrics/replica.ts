import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Heartbeats } from '../jobs/loop.ts'

/** What this replica sees of itself: its connections and its loops. */
export function watchReplica(registry: Registry, pools: Record<string, Pool>, loops: () => Heartbeats): void {
  const ofPools = (name: string, help: string, read: (pool: Pool) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, one] of Object.entries(pools)) this.set({ pool }, read(one))
      },
    })
  ofPools('funnel_database_pool_in_use', 'Connections at work', ({ totalCount, idleCount }) => totalCount - idleCount)
  ofPools('funnel_database_pool_waiting', 'Work that waits for a connection', ({ waitingCount }) => waitingCount)
  ofPools('funnel_database_pool_size', 'Connections that may be open', ({ options }) => options.max)

  const ofLoops = (name: string, help: string, read: (beat: Heartbeats[string]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['loop'],
      registers: [registry],
      collect() {
        for (const [loop, beat] of Object.entries(loops())) this.set({ loop }, read(beat))
      },
    })
  ofLoops('funnel_loop_heartbeat_age_seconds', "Since a background loop's last sign of life", ({ age }) => age)
  ofLoops('funnel_loop_overdue_seconds', 'How much later than its pause that is', ({ overdue }) => overdue)
}
