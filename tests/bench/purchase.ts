/** One purchase as the benches make it, and what it costs the service. */
import { readFileSync } from 'node:fs'
import { Buyer } from '../faults/buyer.ts'
import type { Random } from '../faults/random.ts'
import type { Replica, World } from '../faults/world.ts'

/** The CPU of a process in milliseconds, as Linux counts them in /proc in steps of 10. */
export function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A buyer's way from the visit to the paid trial, or on to an add-on. */
export async function buy(world: World, random: Random, addOn = true): Promise<void> {
  const buyer = new Buyer(world, random, (world.replicas[0] as Replica).url)
  await buyer.arrive()
  await buyer.call('PUT', buyer.path('/price'), { selectedPrice: 5 })
  await buyer.pay('trial_5')
  if (!addOn) return
  const { status } = await buyer.upsell('guide_devices')
  if (status !== 'succeeded') throw new Error(`the add-on was not bought: ${status}`)
}
