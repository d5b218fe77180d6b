/** A clock that moves only when a test advances it. */
export type TestClock = { at: Date; advance(milliseconds: number): void }

export function testClock(start = '2026-11-20T12:00:00Z'): TestClock {
  return {
    at: new Date(start),
    advance(milliseconds) {
      this.at = new Date(this.at.getTime() + milliseconds)
    },
  }
}
