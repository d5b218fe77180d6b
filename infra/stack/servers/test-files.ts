import { MINUTE_MS } from '@catalog/core/time.ts'
import type { Reporter, TestModule } from 'vitest/node'

/** Every file of tests ends sooner, so that a busy machine reports nothing. */
const LONG_MS = 4 * MINUTE_MS

/**
 * Names the files of tests that run for long, once a minute. The default reporter names ended files alone, so that its
 * record of a run that hangs says nothing of the file at fault.
 */
export class LongFilesReporter implements Reporter {
  readonly #startedMs = new Map<TestModule, number>()
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#say(performance.now()), MINUTE_MS)
  }

  onTestModuleStart(file: TestModule): void {
    this.#startedMs.set(file, performance.now())
  }

  onTestModuleEnd(file: TestModule): void {
    this.#startedMs.delete(file)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }

  #say(nowMs: number): void {
    for (const [file, startedMs] of this.#startedMs) {
      if (nowMs - startedMs < LONG_MS) continue
      const next = file.children.allTests('pending').next().value
      const minutes = Math.round((nowMs - startedMs) / MINUTE_MS)
      process.stderr.write(`${file.relativeModuleId} has run for ${minutes} minutes, now at: ${next?.fullName}\n`)
    }
  }
}
