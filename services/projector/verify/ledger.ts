import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as breathe } from 'node:timers/promises'
import { bucketOf, type DigestEntry, RunningBuckets, rootOf, sha256Hex } from '@catalog/core/digest.ts'

/** Memory for the ledger's pages; the rest is on disk. */
const CACHE_KIB = 64 * 1024
/** Facts between two yields to other work: a few milliseconds. */
const FACTS_AT_ONCE = 2_000
/** Matches any value, for a fact that the log alone cannot determine. The next verification compares it. */
const ANY = '*'

/** The two values of a differing fact; null where a side has none. */
export type Difference = Readonly<{ key: string; log: string | null; tables: string | null }>

/**
 * Compares the facts of the log with the rows of the tables. Facts are in a nameless temporary database on disk, which
 * goes with the process, so memory does not grow with their number.
 *
 * The log is folded up to the start positions. After the tables were read, it is folded on to the end positions ({@link
 * beginCatchUp}). Law: a row that was read in between is right when it equals the fact at the start, or any value that
 * an event of the catch-up gave it. A fact without such an event has one value.
 */
export class Ledger implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #statements = new Map<string, StatementSync>()
  readonly #kinds: readonly string[]
  readonly #isCut: ReadonlySet<string>
  #isCatchUp = false
  #facts = 0

  /** `cut`: the kinds whose rows carry their position, so that later rows are not read. */
  constructor({ kinds, cut }: { kinds: readonly string[]; cut: ReadonlySet<string> }) {
    this.#kinds = kinds
    this.#isCut = cut
    // The ledger does not survive a crash, so one transaction spans it: each commit would walk the cache.
    this.#db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE_KIB};
      create table facts (kind int, key text, value text, partition int, seen int, primary key (kind, key)) without rowid;
      create table others (kind int, key text, value text, meanwhile int, primary key (kind, key, value)) without rowid;
      create table strays (kind int, key text, value text, primary key (kind, key)) without rowid;
      begin`)
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  /** Number of facts at the start positions. */
  get facts(): number {
    return this.#facts
  }

  /** Begins the catch-up: later events may explain rows and do not change facts. */
  beginCatchUp(): void {
    this.#isCatchUp = true
  }

  get isCatchUp(): boolean {
    return this.#isCatchUp
  }

  /** A cached statement, also for the tables of a fold, which go with the ledger. */
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

  /** Sets a fact: the log's last value wins. */
  setLast(kind: string, key: string, value: string): void {
    if (this.#isCatchUp) {
      this.#addAlternative(kind, key, value)
      return
    }
    const { changes } = this.prepare(`update facts set value = ? where kind = ? and key = ?`).run(
      value,
      this.#number(kind),
      key,
    )
    if (changes === 0) this.setFirst(kind, key, value)
  }

  /** Removes the facts that a later event took back; in a catch-up a row of them may still be there or not. */
  remove(kind: string, isGone: (key: string) => boolean): void {
    const sql = this.#isCatchUp
      ? `update facts set seen = 1 where kind = ? and key = ?`
      : `delete from facts where kind = ? and key = ?`
    const keys = this.prepare(`select key from facts where kind = ?`).all(this.#number(kind)) as { key: string }[]
    for (const { key } of keys.filter(({ key }) => isGone(key))) {
      this.prepare(sql).run(this.#number(kind), key)
      if (!this.#isCatchUp) this.#facts--
    }
  }

  /**
   * Sets a fact: the log's first value wins. Between partitions the first applied one wins, which the log does not
   * tell, so the value of each partition is right.
   */
  setFirst(kind: string, key: string, value: string, partition = 0): void {
    if (this.#isCatchUp) {
      if (this.get(kind, key) === undefined) this.#addAlternative(kind, key, value)
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
    if (known.partition !== partition && known.value !== value) this.addAlternative(kind, key, value)
  }

  /** Adds another right value. */
  addAlternative(kind: string, key: string, value: string): void {
    this.prepare(`insert or ignore into others values (?, ?, ?, ?)`).run(
      this.#number(kind),
      key,
      value,
      Number(this.#isCatchUp),
    )
  }

  /** Accepts any value: what an event of the catch-up made of the fact depends on other partitions. */
  acceptAny(kind: string, key: string): void {
    this.addAlternative(kind, key, ANY)
  }

  get(kind: string, key: string): string | undefined {
    return this.prepare(`select value from facts where kind = ? and key = ?`).get(this.#number(kind), key)?.value as
      | string
      | undefined
  }

  /** Enters a row of a table. */
  addRow(kind: string, key: string, value: string): void {
    const { changes } = this.prepare(`update facts set seen = 1 where kind = ? and key = ? and value = ?`).run(
      this.#number(kind),
      key,
      value,
    )
    if (changes === 0)
      this.prepare(`insert or replace into strays values (?, ?, ?)`).run(this.#number(kind), key, value)
  }

  /** Accepts rows that equal an alternative value. Runs before any comparison. */
  acceptAlternatives(): void {
    this.exec(`
      create table settled as select s.kind, s.key from strays s join others o using (kind, key)
        where o.value in (s.value, '${ANY}');
      update facts set seen = 1 where (kind, key) in (select kind, key from settled);
      delete from strays where (kind, key) in (select kind, key from settled)`)
  }

  /** Number of facts that the catch-up touched, which were compared with all their values. */
  meanwhile(kind: string): number {
    const { n } = this.prepare(`select count(distinct key) as n from others where kind = ? and meanwhile = 1`).get(
      this.#number(kind),
    ) as { n: number }
    return n
  }

  /**
   * Counts the facts of each side and finds the first difference in the order of keys. A fact without a row does not
   * count where `mayBeGone` says so.
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

  /** The root over the facts of a kind on one side. `entry` returns the entry of a fact, or null to leave it out. */
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

  /** Whether one side has this fact. */
  has(kind: string, key: string, side: 'log' | 'tables'): boolean {
    const at = [this.#number(kind), key]
    const fact = this.prepare(`select seen from facts where kind = ? and key = ?`).get(...at) as
      | { seen: number }
      | undefined
    if (side === 'log') return fact !== undefined
    return fact?.seen === 1 || this.prepare(`select 1 from strays where kind = ? and key = ?`).get(...at) !== undefined
  }

  /** The log's facts whose keys begin with this word and have more words. */
  startingWith(kind: string, word: string): readonly { key: string; value: string }[] {
    // '!' directly follows ' ' in the order of characters.
    return this.prepare(`select key, value from facts where kind = ? and key > ? and key < ? order by key`).all(
      this.#number(kind),
      `${word} `,
      `${word}!`,
    ) as { key: string; value: string }[]
  }

  /** The log's facts in the order of keys. */
  each(kind: string, signal: AbortSignal | undefined): AsyncGenerator<{ key: string; value: string }> {
    return this.#each(`select key, value from facts where kind = ? order by key`, { kind, signal })
  }

  async *#each<Row>(
    sql: string,
    { kind, signal }: { kind: string; signal: AbortSignal | undefined },
  ): AsyncGenerator<Row> {
    let since = 0
    // Prepare a new statement: two iterations cannot share a cached one.
    for (const row of this.#db.prepare(sql).iterate(this.#number(kind))) {
      yield row as Row
      if (++since < FACTS_AT_ONCE) continue
      since = 0
      await breathe()
      signal?.throwIfAborted()
    }
  }

  #addAlternative(kind: string, key: string, value: string): void {
    if (!this.#isCut.has(kind)) this.addAlternative(kind, key, value)
  }

  #number(kind: string): number {
    return this.#kinds.indexOf(kind)
  }
}

/** Longer texts appear by their SHA-256. */
const SHOWN_MAX = 200

/**
 * A row as text, for comparison and for people. Both sides name the same columns in the same order and spell instants
 * alike.
 */
export function rowText(columns: Readonly<Record<string, unknown>>): string {
  return Object.entries(columns)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(', ')
}

/** A column in the text of a row: its name, and a text, a list of texts or a word. */
const COLUMN = /(\w+) ("(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)*\]|[^",[]+)(?:, |$)/gy

/** The columns that differ between two texts of a row; both texts whole where their columns are not the same. */
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
  // Quotation marks tell a text from a number, from null and from the next column.
  const text = typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return text.length > SHOWN_MAX ? `sha256:${sha256Hex(text)}` : text
}

/** The canonical spelling of a decimal, as the database trims it: without needless zeros and negative zero. */
export function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const plain = fraction === '' ? whole : `${whole}.${fraction}`
  return plain === '0' ? plain : sign + plain
}
