/**
 * Durable micro-batches: what arrives while a write is under way is written together by the next one, and every
 * caller is answered after the commit of the statement that carried its own item. No timer, no waiting: under
 * little load a batch is one item.
 */
export interface MicroBatch<Item, Result> {
  /** Resolves with what `write` returned for this item, after the commit. Rejects with this item's own failure only. */
  add(item: Item): Promise<Result>
}

export interface MicroBatchOptions<Item, Result> {
  /** Writes all items or none; one result an item, in order. */
  write(items: readonly Item[]): Promise<readonly Result[]>
  /** Items in one write. */
  most: number
  /** Writes at the same time. */
  lanes: number
  /** Items that are worth another write beside one under way; fewer wait for its end. */
  worthwhile: number
  /** Waiting items beyond which `add` rejects with `overloaded()`. */
  longest: number
  overloaded(): Error
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** SQLSTATE classes of a row that cannot be stored: bad data, a broken constraint, a program limit. */
const isBadRow = (error: unknown): boolean => /^(21|22|23|54)...$/.test((error as { code?: string }).code ?? '')
/** Two writers met (one row, one lock, or both made the same row): the same write goes through a moment later. */
const isCollision = (error: unknown): boolean => /^(40001|40P01|23505)$/.test((error as { code?: string }).code ?? '')

export function createMicroBatch<Item, Result>(options: MicroBatchOptions<Item, Result>): MicroBatch<Item, Result> {
  const queue: Waiting<Item, Result>[] = []
  let busy = 0

  async function run(batch: readonly Waiting<Item, Result>[], again = true): Promise<void> {
    try {
      const results = await options.write(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, at) => resolve(results[at] as Result))
    } catch (error) {
      if (isCollision(error) && again) return run(batch, false)
      // one bad row never fails its neighbours: halves, until it stands alone
      if (isBadRow(error) && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2)
        await run(batch.slice(0, middle))
        return run(batch.slice(middle))
      }
      for (const { reject } of batch) reject(error)
    }
  }

  function pump(): void {
    while (busy < options.lanes && queue.length >= (busy > 0 ? options.worthwhile : 1)) {
      busy++
      void run(queue.splice(0, options.most)).finally(() => {
        busy--
        pump()
      })
    }
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length >= options.longest) return reject(options.overloaded())
        queue.push({ item, resolve, reject })
        // requests that arrived in the same turn of the event loop travel together
        if (queue.length === 1 || queue.length === options.worthwhile) setImmediate(pump)
      }),
  }
}
