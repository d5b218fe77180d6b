/** Lines of lists that are searched at one time in one process: more would delay the searches of other callers. */
export const LINES_AT_ONCE = 4

/** Runs a line's work in its turn. */
export type LineTurn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * The turns of all lists in this process: the owners of lists take turns line by line, and after each beginning of a line the
 * processor is left to other requests for as long as that took. So all lists together take half of it, whoever sends them.
 */
export function openLineTurns(): (owner: unknown) => LineTurn {
  /** The first owner is the next one. */
  const waiting = new Map<unknown, (() => Promise<unknown>)[]>()
  let underWay = 0
  let isResting = false

  function begin(): void {
    const [next] = waiting
    if (next === undefined || isResting || underWay >= LINES_AT_ONCE) return
    const [owner, lines] = next
    const line = lines.shift() as () => Promise<unknown>
    waiting.delete(owner)
    if (lines.length > 0) waiting.set(owner, lines)
    underWay++
    isResting = true
    const beganMs = performance.now()
    void line().finally(() => {
      underWay--
      begin()
    })
    // After its microtasks: a line that waits for nobody has ended by then.
    setImmediate(() => setTimeout(rested, performance.now() - beganMs))
  }
  function rested(): void {
    isResting = false
    begin()
  }

  return (owner) => (work) =>
    new Promise((resolve, reject) => {
      const line = () => work().then(resolve, reject)
      waiting.set(owner, [...(waiting.get(owner) ?? []), line])
      begin()
    })
}
