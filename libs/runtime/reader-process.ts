import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Processes that read what others wrote, within bounds of memory and time. */

const LIMITS = {
  /** Resident memory at which a process is killed, so that it stays below 512 MB until the kill. */
  rssBytesMax: 448 * 1024 ** 2,
  /** Longest silence of a process that was asked for more. */
  silenceMsMax: 60_000,
  /** Longest time that an order is waited for in all. */
  orderMsMax: 3_600_000,
  /** Processes without an order that are kept. */
  keptMax: 1,
}
export type ReaderLimits = Readonly<Partial<typeof LIMITS>>
/** Heap of a process, which V8 keeps to. */
const HEAP_MB_MAX = 320
/** A larger young generation of a process, which V8 seldom returns, makes it no faster. */
const YOUNG_MB_MAX = 8
/** Pause between two looks at the memory of a process. */
const WATCH_MS = 25
/** A process that has nothing to do ends after this time. */
const IDLE_MS = 30_000

/** What the process says: pieces of its answer, each with the bytes that it read since the last message. */
export type ReaderAnswer<Piece> = Readonly<{ bytes: number }> &
  (Piece | Readonly<{ progress: true }> | Readonly<{ done: true }> | Readonly<{ failed: string }>)

/** The reader has taken a piece and waits for the next one. */
export const TAKEN = 'taken'

/** The order killed its process, or its process could not do it. */
export class ReaderFailed extends Error {
  override name = 'ReaderFailed'
  readonly reason: 'KILLED' | 'FAILED'
  constructor(reason: ReaderFailed['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Processes that run one program, of which those that have nothing to do are kept for 30 seconds, or until this process ends.
 * A process has no variables of the environment and no open files of ours; it may read files, and neither write them nor
 * start programs.
 */
export class ReaderProcesses<Order extends object, Piece extends object> implements Disposable {
  readonly #program: string
  readonly #limits: typeof LIMITS
  readonly #all = new Set<ChildProcess>()
  readonly #idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = []

  /** `program` is the path of the module that a process runs. */
  constructor(program: string, limits: ReaderLimits = {}) {
    this.#program = program
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The pieces of the answer to one order. A reader that stops early ends the process. Throws ReaderFailed. */
  async *pieces<P extends Piece>(
    order: Order,
    onBytes: (count: number) => void = () => {},
  ): AsyncGenerator<P, void, undefined> {
    const child = this.#take()
    const conversation = new Conversation<Piece>(child, this.#limits)
    let isDone = false
    try {
      child.send(order)
      for (;;) {
        const answer = await conversation.next()
        onBytes(answer.bytes)
        if ('failed' in answer) throw new ReaderFailed('FAILED', answer.failed)
        if ('done' in answer) {
          isDone = true
          return
        }
        if ('progress' in answer) continue
        yield answer as unknown as P
        if (child.connected) child.send(TAKEN)
      }
    } finally {
      conversation.close()
      if (isDone) this.#release(child)
      else child.kill('SIGKILL')
    }
  }

  [Symbol.dispose](): void {
    for (const child of this.#all) child.kill('SIGKILL')
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
  }

  #take(): ChildProcess {
    const idle = this.#idle.pop()
    clearTimeout(idle?.timer)
    const child = idle?.child.connected ? idle.child : this.#start()
    child.ref()
    child.channel?.ref()
    return child
  }

  #start(): ChildProcess {
    const child = fork(this.#program, [], {
      cwd: '/',
      env: {},
      execArgv: [
        `--max-old-space-size=${HEAP_MB_MAX}`,
        `--max-semi-space-size=${YOUNG_MB_MAX}`,
        '--permission',
        '--allow-fs-read=*',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#all.add(child)
    const end = () => child.kill('SIGKILL')
    process.once('exit', end)
    child.once('exit', () => {
      process.off('exit', end)
      this.#all.delete(child)
    })
    return child
  }

  /** Keeps a process for the next file, unless enough others wait already or this one has grown. */
  #release(child: ChildProcess): void {
    const { keptMax, rssBytesMax } = this.#limits
    if (this.#idle.length >= keptMax || residentBytes(child) > rssBytesMax / 2) return void child.kill('SIGKILL')
    const idle = {
      child,
      timer: setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(idle), 1)
        child.kill('SIGKILL')
      }, IDLE_MS).unref(),
    }
    child.unref()
    child.channel?.unref()
    this.#idle.push(idle)
  }
}

/** One order's conversation with a process, which is killed where it exceeds a limit. */
class Conversation<Piece> {
  readonly #child: ChildProcess
  readonly #limits: typeof LIMITS
  readonly #answers: ReaderAnswer<Piece>[] = []
  readonly #watch: NodeJS.Timeout
  #failure: ReaderFailed | null = null
  #wake = () => {}
  #waitedMs = 0

  constructor(child: ChildProcess, limits: typeof LIMITS) {
    this.#child = child
    this.#limits = limits
    child.on('message', this.#onAnswer)
    child.on('exit', this.#onExit)
    child.on('error', this.#onError)
    this.#watch = setInterval(() => this.#checkMemory(), WATCH_MS)
    this.#watch.unref()
  }

  /** The next answer. Throws ReaderFailed. */
  async next(): Promise<ReaderAnswer<Piece>> {
    const begun = performance.now()
    const limitMs = Math.min(this.#limits.silenceMsMax, this.#limits.orderMsMax - this.#waitedMs)
    const timer = setTimeout(() => this.#kill(`took more than ${Math.max(0, Math.round(limitMs))} ms`), limitMs)
    while (this.#answers.length === 0 && this.#failure === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    clearTimeout(timer)
    this.#waitedMs += performance.now() - begun
    const answer = this.#answers.shift()
    if (answer !== undefined && this.#failure === null) return answer
    throw this.#failure
  }

  close(): void {
    clearInterval(this.#watch)
    this.#child.off('message', this.#onAnswer)
    this.#child.off('exit', this.#onExit)
    this.#child.off('error', this.#onError)
  }

  readonly #onAnswer = (answer: unknown) => {
    this.#answers.push(answer as ReaderAnswer<Piece>)
    this.#wake()
  }

  readonly #onError = (error: Error) => this.#fail(new ReaderFailed('FAILED', error.message))

  readonly #onExit = (code: number | null, signal: string | null) => {
    // V8 aborts where the heap is full.
    const why =
      signal === 'SIGABRT' ? `more than ${HEAP_MB_MAX} MB of heap` : `its process ended with ${code ?? signal}`
    this.#fail(new ReaderFailed('KILLED', why))
  }

  #checkMemory(): void {
    const bytes = residentBytes(this.#child)
    if (bytes > this.#limits.rssBytesMax) this.#kill(`${Math.round(bytes / 1024 ** 2)} MB of memory, ${this.#most()}`)
  }

  #most(): string {
    return `at most ${Math.round(this.#limits.rssBytesMax / 1024 ** 2)} MB are given to a file`
  }

  #kill(why: string): void {
    this.#fail(new ReaderFailed('KILLED', why))
    this.#child.kill('SIGKILL')
  }

  #fail(failure: ReaderFailed): void {
    this.#failure ??= failure
    this.#wake()
  }
}

/** Bytes of memory that a process occupies; 0 where the system does not tell. */
function residentBytes({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
