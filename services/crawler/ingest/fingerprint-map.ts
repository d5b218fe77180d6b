/** Key of 52 bits: the first 13 digits of a hash in hex. Among a million, two are taken for one in every 9,000 crawls. */
export function fingerprintOf(hashHex: string): number {
  return Number.parseInt(hashHex.slice(0, FINGERPRINT_DIGITS), 16)
}
const FINGERPRINT_DIGITS = 13

/**
 * A map from fingerprints to numbers that holds millions of entries in some tens of megabytes: open addressing in typed arrays,
 * where a Map of the language takes several times as much.
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

  /** Where the fingerprint is, or the free slot where it would be; at least half of them are free. */
  #slotOf(fingerprint: number): number {
    // FingerprintMap are hashes, so what remains of them is spread as evenly as they are.
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
