/** Applies a growing log beside the work that appends to it, one catch-up at a time. Disposal waits for the one under way. */
export interface Follower extends AsyncDisposable {
  /** Begins a catch-up unless one is under way. A failure comes again in `settled`. */
  follow(): void
  /** Resolves when all that was appended before the call is applied. Throws what the catch-up throws. */
  settled(): Promise<void>
}

/** `catchUp` resolves when all that the log held at its call is applied. */
export function openFollower(catchUp: () => Promise<void>): Follower {
  let running: Promise<void> | null = null
  return {
    follow() {
      running ??= catchUp().finally(() => {
        running = null
      })
      running.catch(() => {})
    },
    async settled() {
      await running
      await catchUp()
    },
    async [Symbol.asyncDispose]() {
      // Work that failed has its own error.
      await running?.catch(() => {})
    },
  }
}
