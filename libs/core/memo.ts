/** Returns the value of a key: the kept one, or what `make` makes now. `make` depends on the key alone. */
export type Memo<Value> = (key: string, make: () => Value) => Value

/**
 * A memo for pure functions of texts that repeat, such as spellings of units. It holds `max` values at most. A full memo
 * is cleared: evicting single values costs more, and common texts return soon.
 */
export function openMemo<Value>(max: number): Memo<Value> {
  const values = new Map<string, Value>()
  return (key, make) => {
    const kept = values.get(key)
    if (kept !== undefined) return kept
    const value = make()
    if (values.size >= max) values.clear()
    values.set(key, value)
    return value
  }
}

/** The pure function, made once for each object: what is compared with many others keeps what follows from it alone. */
export function keptPer<Key extends WeakKey, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const kept = values.get(key)
    if (kept !== undefined) return kept
    const value = of(key)
    values.set(key, value)
    return value
  }
}

/** The value, made when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
