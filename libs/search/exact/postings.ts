/**
 * The slots that have each key, in the order of their addition. Takes some 5 bytes a slot of a frequent key, and no list for
 * a key of one slot, as most article numbers are.
 */
export class Postings {
  readonly #byKey = new Map<string, number | SlotList>()

  add(key: string, slot: number): void {
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, slot)
    else if (typeof known === 'number') this.#byKey.set(key, new SlotList([known, slot]))
    else known.add(slot)
  }

  /** The slots of a key, also those that were removed since; valid until the next change. */
  slotsOf(key: string): ArrayLike<number> {
    const known = this.#byKey.get(key)
    if (known === undefined) return NO_SLOTS
    return typeof known === 'number' ? [known] : known.slots
  }

  /** Drops the slots that `renumbered` makes negative, and replaces the others. */
  renumber(renumbered: Int32Array): void {
    for (const [key, known] of this.#byKey) {
      const left = [...(typeof known === 'number' ? [known] : known.slots)]
        .map((slot) => renumbered[slot] as number)
        .filter((slot) => slot >= 0)
      if (left.length === 0) this.#byKey.delete(key)
      else this.#byKey.set(key, left.length === 1 ? (left[0] as number) : new SlotList(left))
    }
  }
}

const NO_SLOTS: ArrayLike<number> = []

/** Grows by half when it is full. */
class SlotList {
  #slots: Uint32Array
  #count: number

  constructor(slots: readonly number[]) {
    this.#slots = Uint32Array.from(slots)
    this.#count = slots.length
  }

  add(slot: number): void {
    if (this.#count === this.#slots.length) {
      const larger = new Uint32Array(Math.ceil(this.#count * 1.5) + 1)
      larger.set(this.#slots)
      this.#slots = larger
    }
    this.#slots[this.#count++] = slot
  }

  get slots(): Uint32Array {
    return this.#slots.subarray(0, this.#count)
  }
}
