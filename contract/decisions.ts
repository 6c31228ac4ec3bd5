/**
 * Functions of several choices as shared decision diagrams: a node asks for one choice and has a branch for each of its
 * values; equal nodes are one node, so equal states are merged and equality is identity. (Bryant, Graph-based
 * algorithms for Boolean function manipulation, 1986; numbers at the ends: Bahar et al., Algebraic decision diagrams,
 * 1993.)
 */

/** A function; equal functions have equal numbers. */
export type Node = number

/** One value of each choice that matters; choices left out may have any. */
export type Choices = ReadonlyMap<number, number>

/** More nodes than these, and the functions depend on each other in too many ways to go on. */
const MOST_NODES = 150_000

export class TooManyNodes extends Error {
  override name = 'TooManyNodes'
}

type Operation = 'and' | 'andNot' | 'or' | 'plus' | 'min' | 'max'
const OPERATIONS: Readonly<Record<Operation, (a: number, b: number) => number>> = {
  and: (a, b) => a * b,
  andNot: (a, b) => a * (1 - b),
  or: Math.max,
  plus: (a, b) => a + b,
  min: Math.min,
  max: Math.max,
}

/** Diagrams over choices 0, 1, …, which are asked in this order. */
export class Decisions {
  /** Of each node: its choice, or Infinity at the ends. */
  readonly #choices: number[] = []
  readonly #branches: (readonly Node[])[] = []
  readonly #values: number[] = []
  readonly #known = new Map<string, Node>()
  readonly #done = new Map<Operation, Map<number, Node>>()
  readonly never: Node = this.constant(0)
  readonly always: Node = this.constant(1)

  #node(name: string, choice: number, branches: readonly Node[], value: number): Node {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const node = this.#choices.push(choice) - 1
    if (node >= MOST_NODES) throw new TooManyNodes(`more than ${MOST_NODES} states`)
    this.#branches.push(branches)
    this.#values.push(value)
    this.#known.set(name, node)
    return node
  }

  constant(value: number): Node {
    return this.#node(`=${value}`, Infinity, [], value)
  }

  /** The number at an end; NaN for a function that still asks. */
  valueOf(node: Node): number {
    return this.#values[node] ?? NaN
  }

  /** The function that is the nth branch where the choice has its nth value. */
  choice(choice: number, branches: readonly Node[]): Node {
    const [first] = branches as [Node]
    if (branches.every((branch) => branch === first)) return first
    return this.#node(`${choice}:${branches.join()}`, choice, branches, NaN)
  }

  apply(operation: Operation, a: Node, b: Node): Node {
    const first = this.#choices[a] as number
    const second = this.#choices[b] as number
    if (first === Infinity && second === Infinity) {
      return this.constant(OPERATIONS[operation](this.valueOf(a), this.valueOf(b)))
    }
    const done = this.#done.get(operation) ?? new Map<number, Node>()
    this.#done.set(operation, done)
    const name = a * 2 ** 26 + b
    const known = done.get(name)
    if (known !== undefined) return known
    const choice = Math.min(first, second)
    const branches = (this.#branches[first === choice ? a : b] as Node[]).map((_, value) =>
      this.apply(operation, this.#at(a, choice, value), this.#at(b, choice, value)),
    )
    const result = this.choice(choice, branches)
    done.set(name, result)
    return result
  }

  #at(node: Node, choice: number, value: number): Node {
    return this.#choices[node] === choice ? (this.#branches[node]?.[value] as Node) : node
  }

  /** The best of a function over all values of one choice. */
  without(node: Node, choice: number, best: 'min' | 'max', done = new Map<Node, Node>()): Node {
    const own = this.#choices[node] as number
    if (own > choice) return node
    const known = done.get(node)
    if (known !== undefined) return known
    const branches = this.#branches[node] as Node[]
    const result =
      own === choice
        ? branches.reduce((one, other) => this.apply(best, one, other))
        : this.choice(
            own,
            branches.map((branch) => this.without(branch, choice, best, done)),
          )
    done.set(node, result)
    return result
  }

  /** The choices that a function asks for. */
  choicesOf(node: Node, found = new Set<number>(), seen = new Set<Node>()): Set<number> {
    const branches = this.#branches[node] as Node[]
    if (seen.has(node) || branches.length === 0) return found
    seen.add(node)
    found.add(this.#choices[node] as number)
    for (const branch of branches) this.choicesOf(branch, found, seen)
    return found
  }

  /** A function with choices made, as far as it asks first for one of them. */
  with(choices: Choices, node: Node): Node {
    const value = choices.get(this.#choices[node] as number)
    return value === undefined ? node : this.with(choices, this.#branches[node]?.[value] as Node)
  }

  /** The branches of a function that asks first for `choice`; else the function itself as its only one. */
  valuesOf(node: Node, choice: number): readonly Node[] {
    return this.#choices[node] === choice ? (this.#branches[node] as Node[]) : [node]
  }

  /** Choices that make a condition true; undefined where nothing does. */
  example(node: Node): Map<number, number> | undefined {
    if (node === this.never) return undefined
    const found = new Map<number, number>()
    for (let at = node; this.#choices[at] !== Infinity;) {
      const branches = this.#branches[at] as Node[]
      const value = branches.findIndex((branch) => branch !== this.never)
      found.set(this.#choices[at] as number, value)
      at = branches[value] as Node
    }
    return found
  }
}

/**
 * The highest or lowest sum of functions, and choices that make it. Choices are taken away one at a time, each with the
 * functions that ask for it alone (Dechter, Bucket elimination, 1999), so that what does not depend on each other is
 * never multiplied.
 */
export function bestSum(
  decisions: Decisions,
  functions: readonly Node[],
  best: 'min' | 'max',
): { sum: number; choices: Map<number, number> } {
  let left = functions.map((node) => ({ node, asks: decisions.choicesOf(node) }))
  const taken: { choice: number; node: Node }[] = []
  for (;;) {
    const choice = cheapest(left.map(({ asks }) => asks))
    if (choice === undefined) break
    const node = left
      .filter(({ asks }) => asks.has(choice))
      .map((one) => one.node)
      .reduce((one, other) => decisions.apply('plus', one, other))
    taken.push({ choice, node })
    const without = decisions.without(node, choice, best)
    left = [...left.filter(({ asks }) => !asks.has(choice)), { node: without, asks: decisions.choicesOf(without) }]
  }
  const sum = left.reduce((total, { node }) => total + decisions.valueOf(node), 0)
  const choices = new Map<number, number>()
  for (const { choice, node } of taken.reverse()) {
    // what is still open by now makes no difference to the best
    for (const open of decisions.choicesOf(node)) if (open !== choice && !choices.has(open)) choices.set(open, 0)
    const values = decisions.valuesOf(decisions.with(choices, node), choice).map((one) => {
      const value = decisions.valueOf(decisions.with(choices, one))
      return best === 'max' ? value : -value
    })
    choices.set(choice, values.indexOf(Math.max(...values)))
  }
  return { sum, choices }
}

/** The choice whose functions ask for the fewest others. */
function cheapest(asked: readonly ReadonlySet<number>[]): number | undefined {
  const beside = new Map<number, Set<number>>()
  for (const asks of asked) {
    for (const choice of asks) {
      const others = beside.get(choice) ?? new Set<number>()
      for (const other of asks) others.add(other)
      beside.set(choice, others)
    }
  }
  return [...beside].sort(([, one], [, other]) => one.size - other.size)[0]?.[0]
}
