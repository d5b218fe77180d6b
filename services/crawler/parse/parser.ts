import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOUR_MS, MINUTE_MS } from '@catalog/core/time.ts'
import type { ReadFile } from '@catalog/crawler/ingest/inputs.ts'
import type { ReadPriceBooks } from '@catalog/crawler/ingest/price-books.ts'
import { refusedFile } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { type Answer, type Order, type Piece, type RecipesPiece, type RecordsPiece, TAKEN } from './messages.ts'

/** Resident memory at which a parser process is killed, so that it stays below 512 MB until the kill. */
const PARSER_RSS_BYTES_MAX = 448 * 1024 ** 2
/** Heap of a parser process, which V8 keeps to. */
const HEAP_MB_MAX = 320
/** Pause between two looks at the memory of a parser process. */
const WATCH_MS = 25
/** Longest silence of a parser process that was asked for more. */
const PARSER_SILENCE_MS_MAX = MINUTE_MS
/** Longest time that a file is waited for in all. */
const PARSER_FILE_MS_MAX = HOUR_MS
/** A process that has nothing to do ends after this time. */
const IDLE_MS = 30_000
const PROGRAM = fileURLToPath(new URL('./parser.worker.ts', import.meta.url))

/** Limits of a parser; tests set lower ones. */
export type ParserLimits = Readonly<{ rssBytesMax?: number; silenceMsMax?: number; fileMsMax?: number }>

/** Reads vendor files in processes of their own. */
export type Parser = Disposable & Readonly<{ readFile: ReadFile; readPriceBooks: ReadPriceBooks }>

/** The file that killed its process, or that its process could not read. */
class ParserFailed extends Error {
  override name = 'ParserFailed'
  readonly reason: 'PARSER_KILLED' | 'PARSER_FAILED'
  constructor(reason: ParserFailed['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Opens the parser of this process. It starts a parser process with the first file, keeps one for the next file, and ends it after
 * 30 seconds without one, or with this process. A parser process has no variables of the environment and no open files of ours; it
 * may read files, and neither write them nor start programs.
 *
 * A file that exceeds a limit of memory or time, or that ends its process, is refused as a whole (PARSER_KILLED, PARSER_FAILED).
 */
export function openParser(limits: ParserLimits = {}): Parser {
  const pool = new Pool(limits)
  return {
    async *readFile({ path, name }, options, onBytes) {
      let at = 'its beginning'
      const files = new Map<number, Detected>()
      try {
        const pieces = pool.pieces<RecordsPiece>(
          { work: 'records', file: { path: resolve(path), name }, options },
          onBytes,
        )
        for await (const { records, file } of pieces) {
          // One object for each file, which its last findings complete.
          const detected = Object.assign(files.get(file) ?? {}, records.detected)
          if (!files.has(file)) files.clear()
          files.set(file, detected)
          at = records.outcomes.at(-1)?.position ?? at
          yield { ...records, detected }
        }
      } catch (error) {
        if (!(error instanceof ParserFailed)) throw error
        yield refusedFile({ name, reason: error.reason, detail: `${error.message} after ${at}` }, options)
      }
    },
    async *readPriceBooks({ path, name }, books) {
      try {
        const pieces = pool.pieces<RecipesPiece>(
          { work: 'recipes', file: { path: resolve(path), name }, books },
          () => {},
        )
        for await (const { recipes } of pieces) yield recipes
      } catch (error) {
        if (!(error instanceof ParserFailed)) throw error
        const { reason, message: detail } = error
        yield { name, outcomes: [{ position: name, reason, detail }] }
      }
    },
    [Symbol.dispose]: () => pool.close(),
  }
}

/** Parser processes, of which one that has nothing to do is kept. */
class Pool {
  readonly #limits: Required<ParserLimits>
  readonly #all = new Set<ChildProcess>()
  #idle: Readonly<{ child: ChildProcess; timer: NodeJS.Timeout }> | null = null

  constructor({
    rssBytesMax = PARSER_RSS_BYTES_MAX,
    silenceMsMax = PARSER_SILENCE_MS_MAX,
    fileMsMax = PARSER_FILE_MS_MAX,
  }: ParserLimits) {
    this.#limits = { rssBytesMax, silenceMsMax, fileMsMax }
  }

  /** The answers to one order. A reader that stops early ends the process. Throws ParserFailed. */
  async *pieces<P extends Piece>(order: Order, onBytes: (count: number) => void): AsyncGenerator<P, void, undefined> {
    const child = this.#take()
    const conversation = new Conversation(child, this.#limits)
    let isDone = false
    try {
      child.send(order)
      for (;;) {
        const answer = await conversation.next()
        onBytes(answer.bytes)
        if ('failed' in answer) throw new ParserFailed('PARSER_FAILED', answer.failed)
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

  close(): void {
    for (const child of this.#all) child.kill('SIGKILL')
    if (this.#idle !== null) clearTimeout(this.#idle.timer)
    this.#idle = null
  }

  #take(): ChildProcess {
    const idle = this.#idle
    this.#idle = null
    if (idle !== null) clearTimeout(idle.timer)
    const child = idle?.child.connected ? idle.child : this.#start()
    child.ref()
    child.channel?.ref()
    return child
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, [], {
      cwd: '/',
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`, '--permission', '--allow-fs-read=*'],
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

  /** Keeps a process for the next file, unless another one waits already or this one has grown. */
  #release(child: ChildProcess): void {
    if (this.#idle !== null || residentBytes(child) > this.#limits.rssBytesMax / 2) return void child.kill('SIGKILL')
    const timer = setTimeout(() => child.kill('SIGKILL'), IDLE_MS)
    timer.unref()
    child.unref()
    child.channel?.unref()
    this.#idle = { child, timer }
  }
}

/** One file's conversation with a parser process, which is killed where it exceeds a limit. */
class Conversation {
  readonly #child: ChildProcess
  readonly #limits: Required<ParserLimits>
  readonly #answers: Answer[] = []
  readonly #watch: NodeJS.Timeout
  #failure: ParserFailed | null = null
  #wake = () => {}
  #waitedMs = 0

  constructor(child: ChildProcess, limits: Required<ParserLimits>) {
    this.#child = child
    this.#limits = limits
    child.on('message', this.#onAnswer)
    child.on('exit', this.#onExit)
    child.on('error', this.#onError)
    this.#watch = setInterval(() => this.#checkMemory(), WATCH_MS)
    this.#watch.unref()
  }

  /** The next answer. Throws ParserFailed. */
  async next(): Promise<Answer> {
    const begun = performance.now()
    const limitMs = Math.min(this.#limits.silenceMsMax, this.#limits.fileMsMax - this.#waitedMs)
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
    this.#answers.push(answer as Answer)
    this.#wake()
  }

  readonly #onError = (error: Error) => this.#fail(new ParserFailed('PARSER_FAILED', error.message))

  readonly #onExit = (code: number | null, signal: string | null) => {
    // V8 aborts where the heap is full.
    const why =
      signal === 'SIGABRT' ? `more than ${HEAP_MB_MAX} MB of heap` : `its process ended with ${code ?? signal}`
    this.#fail(new ParserFailed('PARSER_KILLED', why))
  }

  #checkMemory(): void {
    const bytes = residentBytes(this.#child)
    if (bytes > this.#limits.rssBytesMax) this.#kill(`${Math.round(bytes / 1024 ** 2)} MB of memory, ${this.#most()}`)
  }

  #most(): string {
    return `at most ${Math.round(this.#limits.rssBytesMax / 1024 ** 2)} MB are given to a file`
  }

  #kill(why: string): void {
    this.#fail(new ParserFailed('PARSER_KILLED', why))
    this.#child.kill('SIGKILL')
  }

  #fail(failure: ParserFailed): void {
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
