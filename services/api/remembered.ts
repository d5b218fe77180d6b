/** A map that stays small: when it is full, what was put in first is forgotten first. */
export interface Remembered<Value> {
  get(key: string): Value | undefined
  /** Puts in a key that is not there. */
  add(key: string, value: Value): void
}

/** `onForget` gets what had to go. */
export function rememberAtMost<Value>(max: number, onForget = (_value: Value) => {}): Remembered<Value> {
  const all = new Map<string, Value>()
  return {
    get: (key) => all.get(key),
    add(key, value) {
      if (all.size >= max) {
        // A Map iterates in order of insertion.
        const [[oldest, forgotten] = [key, value]] = all
        all.delete(oldest)
        onForget(forgotten)
      }
      all.set(key, value)
    },
  }
}
