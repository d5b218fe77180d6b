/** Key of 52 bits: the first 13 digits of a hash in hex. Among a million, two are taken for one in every 9,000 crawls. */
export function printOf(hashHex: string): number {
  return Number.parseInt(hashHex.slice(0, PRINT_DIGITS), 16)
}
const PRINT_DIGITS = 13

/**
 * A map from prints to numbers that holds millions of entries in some tens of megabytes: open addressing in typed arrays,
 * where a Map of the language takes several times as much.
 */
export class Prints {
  #keys = new Float64Array(SLOTS_MIN).fill(FREE)
  #values = new Float64Array(SLOTS_MIN)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(print: number): number | undefined {
    const slot = this.#slotOf(print)
    return this.#keys[slot] === print ? this.#values[slot] : undefined
  }

  set(print: number, value: number): void {
    const slot = this.#slotOf(print)
    const isNew = this.#keys[slot] !== print
    this.#keys[slot] = print
    this.#values[slot] = value
    if (isNew && ++this.#size * 2 > this.#keys.length) this.#grow()
  }

  *entries(): Generator<readonly [print: number, value: number]> {
    for (const [slot, print] of this.#keys.entries()) if (print !== FREE) yield [print, this.#values[slot] as number]
  }

  /** Where the print is, or the free slot where it would be; at least half of them are free. */
  #slotOf(print: number): number {
    // Prints are hashes, so what remains of them is spread as evenly as they are.
    let slot = print % this.#keys.length
    while (this.#keys[slot] !== print && this.#keys[slot] !== FREE) slot = (slot + 1) % this.#keys.length
    return slot
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(keys.length * 2).fill(FREE)
    this.#values = new Float64Array(keys.length * 2)
    for (const [slot, print] of keys.entries()) {
      if (print === FREE) continue
      const place = this.#slotOf(print)
      this.#keys[place] = print
      this.#values[place] = values[slot] as number
    }
  }
}

const SLOTS_MIN = 16
const FREE = -1
