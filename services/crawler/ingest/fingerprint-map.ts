/**
 * A fingerprint of 52 bits: the first 13 hexadecimal digits of a hash. Among a million, two collide in one of 9,000
 * crawls.
 */
export function fingerprintOf(hashHex: string): number {
  return Number.parseInt(hashHex.slice(0, FINGERPRINT_DIGITS), 16)
}
const FINGERPRINT_DIGITS = 13

/**
 * A map from fingerprints to numbers. Open addressing in typed arrays keeps millions of entries in tens of megabytes,
 * several times less than a Map.
 */
export class FingerprintMap {
  #keys = new Float64Array(SLOTS_MIN).fill(FREE)
  #values = new Float64Array(SLOTS_MIN)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(fingerprint: number): number | undefined {
    const slot = this.#slotOf(fingerprint)
    return this.#keys[slot] === fingerprint ? this.#values[slot] : undefined
  }

  set(fingerprint: number, value: number): void {
    const slot = this.#slotOf(fingerprint)
    const isNew = this.#keys[slot] !== fingerprint
    this.#keys[slot] = fingerprint
    this.#values[slot] = value
    if (isNew && ++this.#size * 2 > this.#keys.length) this.#grow()
  }

  *entries(): Generator<readonly [fingerprint: number, value: number]> {
    for (const [slot, fingerprint] of this.#keys.entries())
      if (fingerprint !== FREE) yield [fingerprint, this.#values[slot] as number]
  }

  /** The slot of a fingerprint, or the free slot for it. At least half of the slots are free. */
  #slotOf(fingerprint: number): number {
    // Fingerprints are hashes, so their remainders are evenly distributed.
    let slot = fingerprint % this.#keys.length
    while (this.#keys[slot] !== fingerprint && this.#keys[slot] !== FREE) slot = (slot + 1) % this.#keys.length
    return slot
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(keys.length * 2).fill(FREE)
    this.#values = new Float64Array(keys.length * 2)
    for (const [slot, fingerprint] of keys.entries()) {
      if (fingerprint === FREE) continue
      const place = this.#slotOf(fingerprint)
      this.#keys[place] = fingerprint
      this.#values[place] = values[slot] as number
    }
  }
}

const SLOTS_MIN = 16
const FREE = -1
