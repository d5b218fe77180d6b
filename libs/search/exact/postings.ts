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
      if (typeof known !== 'number') {
        known.renumber(renumbered)
        if (known.slots.length === 0) this.#byKey.delete(key)
      } else if ((renumbered[known] as number) < 0) this.#byKey.delete(key)
      else this.#byKey.set(key, renumbered[known] as number)
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

  renumber(renumbered: Int32Array): void {
    let kept = 0
    for (const slot of this.slots) {
      const to = renumbered[slot] as number
      if (to >= 0) this.#slots[kept++] = to
    }
    this.#count = kept
  }

  get slots(): Uint32Array {
    return this.#slots.subarray(0, this.#count)
  }
}
