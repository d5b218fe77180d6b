import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '@catalog/core/time.ts'
import { type CommandOptions, type Finished, type Running, startCatalog } from '@catalog/stack/servers/command.ts'

/** As process managers pause before they start an ended process again. */
const RESTART_MS = 1_000

/** A process of the catalog that is started again whenever it ends. */
export interface Supervised extends AsyncDisposable {
  readonly name: string
  readonly pid: () => number | undefined
  /** How often it ended and was started again. */
  readonly restarts: () => number
  /** What all its lives wrote so far. */
  readonly output: () => string
  readonly hasEnded: () => boolean
  readonly kill: () => void
  /** Stops it without its notice (SIGSTOP), and lets it go on. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Sets its clock ahead or back; undefined where it has the machine's. */
  readonly setClock: ((offsetSeconds: number) => void) | undefined
  /** Keeps it from being started again when it has ended, until the returned function is called. */
  readonly hold: () => () => void
  /** Asks it to stop, and does not start it again. */
  readonly stop: () => Promise<Finished>
}

/** Starts `catalog ARGS`, and starts it again one second after it has ended. */
export function supervise(
  name: string,
  args: readonly string[],
  { command, setClock }: { command: CommandOptions; setClock: Supervised['setClock'] },
): Supervised {
  const start = () => startCatalog(args, { ...command, timeoutMs: HOUR_MS })
  let running: Running = start()
  let restarts = 0
  let past = ''
  let isStopping = false
  let hasEnded = false
  let held: Promise<void> | undefined
  // A harness that a signal ends must not leave a process behind.
  const killNow = () => void running.kill('SIGKILL')
  process.once('exit', killNow)
  const watching = (async () => {
    for (;;) {
      await running.finished.catch(() => {})
      past += running.output()
      hasEnded = true
      if (isStopping) return
      await delay(RESTART_MS)
      await held
      if (isStopping) return
      restarts += 1
      running = start()
      hasEnded = false
    }
  })()
  return {
    name,
    pid: () => running.pid,
    restarts: () => restarts,
    output: () => (hasEnded ? past : past + running.output()),
    hasEnded: () => hasEnded,
    kill: killNow,
    freeze: () => void process.kill(running.pid as number, 'SIGSTOP'),
    thaw: () => void process.kill(running.pid as number, 'SIGCONT'),
    setClock,
    hold() {
      const released = Promise.withResolvers<void>()
      held = released.promise
      return released.resolve
    },
    async stop() {
      isStopping = true
      running.kill('SIGTERM')
      return running.finished
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      process.off('exit', killNow)
      // A frozen process would keep the signal until it is thawed; SIGKILL ends it either way.
      await running[Symbol.asyncDispose]()
      await watching
    },
  }
}
