import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Ids of traces by which each replica knows that one of ours began them, and when. */
export interface OwnTraces {
  /** 32 hexadecimal digits: when it was made, chance, and a signature of both. */
  make(): string
  /** Whether one of ours made it within the last hour: a page goes on with its trace no longer. */
  isOurs(traceId: string): boolean
}

const HOUR = 3_600
/** Seconds by which the clocks of replicas may differ. */
const CLOCKS = 60
const TIME = 4
const SIGNED = 10
const SIGNATURE = 6

/** The first of the keys signs, all count. */
export function ownTraces(keys: readonly string[], seconds = () => Date.now() / 1_000): OwnTraces {
  const [newest] = keys
  if (!newest) throw new Error('traces need a key')
  const sign = (key: string, signed: Buffer): Buffer =>
    createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE)
  return {
    make() {
      const signed = randomBytes(SIGNED)
      signed.writeUInt32BE(Math.floor(seconds()) >>> 0)
      return Buffer.concat([signed, sign(newest, signed)]).toString('hex')
    },
    isOurs(traceId) {
      const id = Buffer.from(traceId, 'hex')
      if (id.length !== SIGNED + SIGNATURE) return false
      const age = seconds() - id.readUIntBE(0, TIME)
      const [signed, signature] = [id.subarray(0, SIGNED), id.subarray(SIGNED)]
      return age > -CLOCKS && age < HOUR && keys.some((key) => timingSafeEqual(sign(key, signed), signature))
    },
  }
}
