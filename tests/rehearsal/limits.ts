import type { Row } from './row.ts'
import { LIMITS } from '../../payments-service/http/limits.ts'

export const limits: Row = {
  name: 'limits',
  title: 'P-13 the limits of production hold for both replicas together, and one address uses up nobody else’s',
  long: true,
  async run({ stage }) {
    const { points } = LIMITS.payment.perAddress
    const path = `/api/sessions/${crypto.randomUUID()}/payments/initial`
    // in turn, past the balancers: each replica sees half of them
    const ask = async (n: number, from: string): Promise<number> => {
      const { url } = stage.world.replicas[n % 2]!
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
      return (await fetch(url + path, { method: 'POST', body: '{}', headers })).status
    }
    let passed = 0
    while (passed <= points && (await ask(passed, '192.0.2.77')) !== 429) passed++
    const others = [await ask(0, '192.0.2.78'), await ask(1, '192.0.2.78')]
    return {
      figures: `one address was refused after ${passed} orders at two replicas, of ${points} allowed`,
      violations: [
        ...(passed === points ? [] : [`refused after ${passed} orders, not after ${points}`]),
        ...(others.includes(429) ? ['another address was refused too'] : []),
      ],
    }
  },
}
