import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as breathe } from 'node:timers/promises'
import { bucketOf, type DigestEntry, RunningBuckets, rootOf, sha256Hex } from '@catalog/core/digest.ts'

/** Memory of the ledger's pages; what does not fit lies on disk. */
const CACHE_KIB = 64 * 1024
/** Facts that are looked at before others get their turn: a few milliseconds. */
const FACTS_AT_ONCE = 2_000
/** In place of a value that the log gives: one that cannot be foretold, and is compared the next time. */
const ANY = '*'

/** The values of a fact that a difference is told of; null: there is none. */
export type Difference = Readonly<{ key: string; log: string | null; tables: string | null }>

/**
 * What the log says and what the tables hold, fact by fact, until the two are compared. Facts lie in a temporary database
 * of the file system, which has no name and is gone with the process: memory does not grow with the number of facts.
 *
 * The log is folded to the positions of the start, and after the tables were read on to where they stood then
 * ({@link goOn}). Law: a row that was read in between is right when it is the fact at the start, or any that an event of
 * the meantime made of it. A fact that nothing touched meanwhile has one value only.
 */
export class Ledger implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #statements = new Map<string, StatementSync>()
  readonly #kinds: readonly string[]
  readonly #isCut: ReadonlySet<string>
  #isMeanwhile = false
  #facts = 0

  /** `cut`: those of the kinds whose rows tell their position, so that later ones are not read. */
  constructor({ kinds, cut }: { kinds: readonly string[]; cut: ReadonlySet<string> }) {
    this.#kinds = kinds
    this.#isCut = cut
    // Nobody needs it after a crash, so all of it is one transaction that never ends: each would cost a walk over the cache.
    this.#db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE_KIB};
      create table facts (kind int, key text, value text, partition int, seen int, primary key (kind, key)) without rowid;
      create table others (kind int, key text, value text, meanwhile int, primary key (kind, key, value)) without rowid;
      create table strays (kind int, key text, value text, primary key (kind, key)) without rowid;
      begin`)
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  /** Facts that the log gave at the positions of the start. */
  get facts(): number {
    return this.#facts
  }

  /** From here on events are of the meantime. */
  goOn(): void {
    this.#isMeanwhile = true
  }

  /** Whether events are of the meantime. */
  get isMeanwhile(): boolean {
    return this.#isMeanwhile
  }

  /** Tables for whoever folds; their contents go with the ledger. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      statement.setReadBigInts(false)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** The log's last word on a fact holds. */
  set(kind: string, key: string, value: string): void {
    if (this.#isMeanwhile) {
      this.#other(kind, key, value)
      return
    }
    const { changes } = this.prepare(`update facts set value = ? where kind = ? and key = ?`).run(
      value,
      this.#number(kind),
      key,
    )
    if (changes === 0) this.first(kind, key, value)
  }

  /**
   * The log's first word on a fact holds. Between partitions the one holds that was applied first, which no reader of the
   * log knows: any of theirs is right.
   */
  first(kind: string, key: string, value: string, partition = 0): void {
    if (this.#isMeanwhile) {
      if (this.get(kind, key) === undefined) this.#other(kind, key, value)
      return
    }
    const { changes } = this.prepare(`insert or ignore into facts values (?, ?, ?, ?, 0)`).run(
      this.#number(kind),
      key,
      value,
      partition,
    )
    if (changes === 1) {
      this.#facts++
      return
    }
    const known = this.prepare(`select value, partition from facts where kind = ? and key = ?`).get(
      this.#number(kind),
      key,
    ) as { value: string; partition: number }
    if (known.partition !== partition && known.value !== value) this.also(kind, key, value)
  }

  /** Another value that is as right. */
  also(kind: string, key: string, value: string): void {
    this.prepare(`insert or ignore into others values (?, ?, ?, ?)`).run(
      this.#number(kind),
      key,
      value,
      Number(this.#isMeanwhile),
    )
  }

  /** What an event of the meantime makes of the fact depends on others of other partitions: it is not compared. */
  unknown(kind: string, key: string): void {
    this.also(kind, key, ANY)
  }

  get(kind: string, key: string): string | undefined {
    return this.prepare(`select value from facts where kind = ? and key = ?`).get(this.#number(kind), key)?.value as
      | string
      | undefined
  }

  /** What a table holds. */
  hold(kind: string, key: string, value: string): void {
    const { changes } = this.prepare(`update facts set seen = 1 where kind = ? and key = ? and value = ?`).run(
      this.#number(kind),
      key,
      value,
    )
    if (changes === 0)
      this.prepare(`insert or replace into strays values (?, ?, ?)`).run(this.#number(kind), key, value)
  }

  /** Takes what a table holds for what the log gives, wherever it is another right value. Before anything is compared. */
  settle(): void {
    this.exec(`
      create table settled as select s.kind, s.key from strays s join others o using (kind, key)
        where o.value in (s.value, '${ANY}');
      update facts set seen = 1 where (kind, key) in (select kind, key from settled);
      delete from strays where (kind, key) in (select kind, key from settled)`)
  }

  /** Facts that events of the meantime touched: they were compared with all values that they had. */
  meanwhile(kind: string): number {
    const { n } = this.prepare(`select count(distinct key) as n from others where kind = ? and meanwhile = 1`).get(
      this.#number(kind),
    ) as { n: number }
    return n
  }

  /**
   * How many facts each side has, and the first that differs, in order of keys. A fact that no table holds is none where
   * `mayBeGone` says so.
   */
  async compare(
    kind: string,
    {
      signal,
      mayBeGone = () => false,
    }: { signal: AbortSignal | undefined; mayBeGone?: (key: string, log: string) => boolean },
  ): Promise<{ log: number; tables: number; first: Difference | null }> {
    const counts = { log: 0, tables: 0 }
    let first: Difference | null = null
    const differ = (difference: Difference) => {
      if (first === null || difference.key < first.key) first = difference
    }
    const rows = this.#each<{ key: string; value: string; seen: number; held: string | null }>(
      `select f.key, f.value, f.seen, s.value as held from facts f left join strays s using (kind, key)
       where kind = ? order by key`,
      { kind, signal },
    )
    for await (const { key, value, seen, held } of rows) {
      if (seen === 0 && held === null && mayBeGone(key, value)) continue
      counts.log++
      if (seen === 1 || held !== null) counts.tables++
      if (seen === 0) differ({ key, log: value, tables: held })
    }
    const surplus = this.#each<{ key: string; value: string }>(
      `select s.key, s.value from strays s left join facts f using (kind, key)
       where kind = ? and f.key is null order by s.key`,
      { kind, signal },
    )
    for await (const { key, value } of surplus) {
      counts.tables++
      differ({ key, log: null, tables: value })
    }
    return { ...counts, first }
  }

  /**
   * The root over the facts of a kind as one side has them; `entry` makes the entry of a fact, null for one that does not
   * count.
   */
  async root(
    kind: string,
    {
      side,
      signal,
      entry,
    }: {
      side: 'log' | 'tables'
      signal: AbortSignal | undefined
      entry: (key: string, value: string) => DigestEntry | null
    },
  ): Promise<string> {
    const running = new RunningBuckets()
    const sql =
      side === 'log'
        ? `select key, value from facts where kind = ?1 order by key`
        : `select key, value from facts where kind = ?1 and seen = 1
           union all select key, value from strays where kind = ?1 order by key`
    for await (const { key, value } of this.#each<{ key: string; value: string }>(sql, { kind, signal })) {
      const made = entry(key, value)
      if (made !== null) running.add(made, bucketOf(made.id))
    }
    return rootOf(running.hashes())
  }

  /** Whether one side has a fact of this key. */
  has(kind: string, key: string, side: 'log' | 'tables'): boolean {
    const at = [this.#number(kind), key]
    const fact = this.prepare(`select seen from facts where kind = ? and key = ?`).get(...at) as
      | { seen: number }
      | undefined
    if (side === 'log') return fact !== undefined
    return fact?.seen === 1 || this.prepare(`select 1 from strays where kind = ? and key = ?`).get(...at) !== undefined
  }

  /** Values that the log gave of facts whose keys are this word and others after it. */
  under(kind: string, word: string): readonly { key: string; value: string }[] {
    // '!' comes after ' ', and nothing comes between.
    return this.prepare(`select key, value from facts where kind = ? and key > ? and key < ? order by key`).all(
      this.#number(kind),
      `${word} `,
      `${word}!`,
    ) as { key: string; value: string }[]
  }

  /** The facts that the log gave, in order of keys. */
  each(kind: string, signal: AbortSignal | undefined): AsyncGenerator<{ key: string; value: string }> {
    return this.#each(`select key, value from facts where kind = ? order by key`, { kind, signal })
  }

  async *#each<Row>(
    sql: string,
    { kind, signal }: { kind: string; signal: AbortSignal | undefined },
  ): AsyncGenerator<Row> {
    let since = 0
    // A statement of its own: one that is prepared once cannot be read by two at a time.
    for (const row of this.#db.prepare(sql).iterate(this.#number(kind))) {
      yield row as Row
      if (++since < FACTS_AT_ONCE) continue
      since = 0
      await breathe()
      signal?.throwIfAborted()
    }
  }

  #other(kind: string, key: string, value: string): void {
    if (!this.#isCut.has(kind)) this.also(kind, key, value)
  }

  #number(kind: string): number {
    return this.#kinds.indexOf(kind)
  }
}

/** Texts that are longer stand in a value by their SHA-256. */
const SHOWN_MAX = 200

/**
 * The columns of a row as one text, for comparing and for reading. Both sides name the same columns in the same order, and
 * spell instants in their one way.
 */
export function rowText(columns: Readonly<Record<string, unknown>>): string {
  return Object.entries(columns)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(', ')
}

/** One column of a row's text: its name and value, which is a text, a list of texts, or a word. */
const COLUMN = /(\w+) ("(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)*\]|[^",[]+)(?:, |$)/gy

/** Of two texts of one row the columns that differ; both whole where they are not of the same columns. */
export function differing(one: string, other: string): readonly [string, string] {
  const [ours, theirs] = [one, other].map((text) => [...text.matchAll(COLUMN)])
  const isWhole = [ours, theirs].every((columns, i) => columns?.map(([all]) => all).join('') === [one, other][i])
  const names = ours?.map(([, name]) => name)
  if (!isWhole || ours === undefined || `${names}` !== `${theirs?.map(([, name]) => name)}`) return [one, other]
  const differ = ours.flatMap(([, name, value], i) => {
    const held = theirs?.[i]?.[2]
    return value === held ? [] : [[`${name} ${value}`, `${name} ${held}`] as const]
  })
  return [differ.map(([says]) => says).join(', '), differ.map(([, holds]) => holds).join(', ')]
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  // In quotation marks, a text is never taken for a number, for null or for the next column.
  const text = typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return text.length > SHOWN_MAX ? `sha256:${sha256Hex(text)}` : text
}

/** The one spelling of a decimal, as the database trims it: no zeros that say nothing, no negative zero. */
export function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const plain = fraction === '' ? whole : `${whole}.${fraction}`
  return plain === '0' ? plain : sign + plain
}
