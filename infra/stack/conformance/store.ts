import { createHash } from 'node:crypto'
import { literal, type Queryable, rowsParameter, type Store } from '@catalog/store/db.ts'
import { acquireLease, releaseLease, withLease } from '@catalog/store/lease.ts'
import { migrate, NewerSchema, SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrations/migrate.ts'
import { readWork, workNotes } from '@catalog/store/work.ts'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

export type StoreUnderTest = AsyncDisposable & {
  /** Migrated, with its own connections. */
  readonly store: Store
  /** One more client of the same database, as another process would open; the suite ends it. */
  connect(): Promise<pg.Client>
  /** An unmigrated place, opened by two processes at once. */
  fresh(): Promise<AsyncDisposable & { readonly schema: string; readonly stores: readonly [Store, Store] }>
}

/** The contract of the Store; native and embedded Postgres pass the same suite. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the ${name} store`, () => {
    let subject: StoreUnderTest
    let store: Store
    beforeAll(async () => {
      subject = await open()
      store = subject.store
      await store.query('create table notes (id int primary key, text text)')
    })
    afterAll(() => subject[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query('truncate notes, leases')
    })
    const note = (on: Queryable, id: number) => on.query(`insert into notes (id) values ($1)`, [id])
    const notes = async () =>
      (await store.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id)

    describe('copyOut', () => {
      test('returns fields as Postgres sends them, null for null, and no rows for none', async () => {
        const rows = await store.copyOut(
          `select n, nullif(n, 2)::bigint, ${literal("it's")} from generate_series(1, 2) n`,
        )
        expect(rows.map((row) => row.map((field) => field?.toString('hex') ?? null))).toEqual([
          ['00000001', '0000000000000001', Buffer.from("it's").toString('hex')],
          ['00000002', null, Buffer.from("it's").toString('hex')],
        ])
        expect(await store.copyOut('select 1 where false')).toEqual([])
      })

      test('returns a value of a megabyte whole', async () => {
        const [row] = await store.copyOut(`select string_agg(int4send(n), '') from generate_series(1, 300000) n`)
        expect(row?.[0]?.length).toBe(1_200_000)
        expect(row?.[0]?.readInt32BE(1_199_996)).toBe(300_000)
      })

      test("rejects with the query's error, even after some rows, and answers the next query", async () => {
        await expect(store.copyOut('select 1 / (n - 5000) from generate_series(1, 6000) n')).rejects.toMatchObject({
          code: '22012',
        })
        expect(await store.copyOut(`select 'x'::text`)).toEqual([[Buffer.from('x')]])
      })
    })

    describe('insertRows', () => {
      const columns = {
        id: 'int4',
        large: 'int8',
        text: 'text',
        bytes: 'bytea',
        at: 'timestamptz',
        tags: 'text[]',
      } as const
      beforeAll(async () => {
        await store.query(
          `create table bulk (id int primary key, large bigint, text text, bytes bytea, at timestamptz, tags text[])`,
        )
      })
      beforeEach(async () => {
        await store.query('truncate bulk')
      })

      test('stores every type exactly, and null as null', async () => {
        await store.transaction((tx) =>
          tx.insertRows('bulk', columns, [
            [
              1,
              9_007_199_254_740_993n,
              'ñ ✓ 🧱 \t\n\\ \' " \u0001',
              '00ff0a',
              '1969-12-31T23:59:59.001Z',
              ['ñ', '', 'a,"{b}\\ c'],
            ],
            [2, -1, '', '', '2026-03-29T02:30:00Z', []],
            [3, null, null, null, null],
          ]),
        )
        expect(await store.query('select * from bulk order by id')).toEqual([
          {
            id: 1,
            large: 9_007_199_254_740_993n,
            text: 'ñ ✓ 🧱 \t\n\\ \' " \u0001',
            bytes: Buffer.from([0, 255, 10]),
            at: '1969-12-31T23:59:59.001Z',
            tags: ['ñ', '', 'a,"{b}\\ c'],
          },
          { id: 2, large: -1n, text: '', bytes: Buffer.alloc(0), at: '2026-03-29T02:30:00Z', tags: [] },
          { id: 3, large: null, text: null, bytes: null, at: null, tags: null },
        ])
      })

      test('inserts ten thousand rows of 300 characters, and accepts none', async () => {
        const rows = Array.from({ length: 10_000 }, (_, id) => [id, id, 'ñ'.repeat(300), 'ab', '2026-01-05T06:00:00Z'])
        await store.transaction(async (tx) => {
          await tx.insertRows('bulk', columns, rows)
          await tx.insertRows('bulk', columns, [])
        })
        expect(await store.query('select count(*)::int as n, sum(large)::int as sum from bulk')).toEqual([
          { n: 10_000, sum: 49_995_000 },
        ])
      })

      test.each([
        ['an existing key', [1, 1, 'x', '00', '2026-01-05T06:00:00Z'], { code: '23505' }],
        ['a text that is not an instant', [2, 1, 'x', '00', 'yesterday'], {}],
        ['a character that text cannot hold', [2, 1, 'a\u0000b', '00', '2026-01-05T06:00:00Z'], {}],
      ])('refuses %s, and the transaction continues from its savepoint', async (_what, row, error) => {
        await store.transaction(async (tx) => {
          await tx.insertRows('bulk', columns, [[1, null, null, null, null]])
          await tx.query('savepoint here')
          await expect(tx.insertRows('bulk', columns, [row])).rejects.toMatchObject(error)
          await tx.query('rollback to savepoint here')
          await tx.insertRows('bulk', columns, [[3, null, null, null, null]])
        })
        expect(await store.query('select id from bulk order by id')).toEqual([{ id: 1 }, { id: 3 }])
      })
    })

    describe('onCommit', () => {
      const effects: string[] = []
      beforeEach(() => void effects.splice(0))

      test('calls back after the commit, in order', async () => {
        await store.transaction(async (tx) => {
          tx.onCommit(() => effects.push('first'))
          tx.onCommit(() => effects.push('second'))
          await note(tx, 1)
          expect(effects).toEqual([])
        })
        expect(effects).toEqual(['first', 'second'])
      })

      test('calls back neither after a rollback nor for what came before a rollback to a savepoint', async () => {
        const failed = store.transaction(async (tx) => {
          tx.onCommit(() => effects.push('of a failed one'))
          throw new Error('no')
        })
        await expect(failed).rejects.toThrow('no')
        await store.transaction(async (tx) => {
          await tx.query('savepoint here')
          tx.onCommit(() => effects.push('before'))
          await tx.query('rollback to savepoint here')
          tx.onCommit(() => effects.push('after'))
        })
        expect(effects).toEqual(['after'])
      })
    })

    describe('types', () => {
      test('returns bigint, timestamptz and bytea exactly, in one spelling, and null as null', async () => {
        const rows = await store.query(
          `select $1::bigint as large, $2::timestamptz as whole, $3::timestamptz as parts, $4::bytea as bytes,
             null::bigint as none, '2026-03-29 02:30:00+02'::timestamptz as zoned`,
          [9_007_199_254_740_993n, '2026-01-05T06:00:00Z', '2026-01-05T06:00:00.120Z', Buffer.from([0, 255, 10])],
        )
        expect(rows).toEqual([
          {
            large: 9_007_199_254_740_993n,
            whole: '2026-01-05T06:00:00Z',
            parts: '2026-01-05T06:00:00.120Z',
            bytes: Buffer.from([0, 255, 10]),
            none: null,
            zoned: '2026-03-29T00:30:00Z',
          },
        ])
      })

      test('carries 50,000 rows in one JSON parameter, with exact bigints', async () => {
        const rows = Array.from({ length: 50_000 }, (_, i) => ({
          n: 9_007_199_254_740_000n + BigInt(i),
          text: `ñ${i}`,
        }))
        const [sum] = await store.query(
          `select count(*)::int as rows, sum(n)::text as total, count(distinct text)::int as texts
           from jsonb_to_recordset($1::jsonb) as batch (n bigint, text text)`,
          [rowsParameter(rows)],
        )
        const total = rows.reduce((before, { n }) => before + n, 0n)
        expect(sum).toEqual({ rows: 50_000, total: String(total), texts: 50_000 })
      })

      test('rejects a refused statement with its SQLSTATE, and stays usable', async () => {
        await note(store, 1)
        await expect(note(store, 1)).rejects.toMatchObject({ code: '23505' })
        await expect(store.query('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' })
        expect(await notes()).toEqual([1])
      })
    })

    describe('a transaction', () => {
      test('commits when its work resolves, and returns the result', async () => {
        const result = await store.transaction(async (tx) => {
          await note(tx, 1)
          await note(tx, 2)
          return 'done'
        })
        expect(result).toBe('done')
        expect(await notes()).toEqual([1, 2])
      })

      test('rolls back as a whole when its work throws, and rethrows the error', async () => {
        const failure = new Error('no')
        await expect(
          store.transaction(async (tx) => {
            await note(tx, 1)
            throw failure
          }),
        ).rejects.toBe(failure)
        expect(await notes()).toEqual([])
      })

      test('rolls back when a statement fails, even if its work goes on', async () => {
        await store
          .transaction(async (tx) => {
            await note(tx, 1)
            await note(tx, 1).catch(() => {})
          })
          .catch(() => {})
        expect(await notes()).toEqual([])
      })

      test('hides its changes until it commits', async () => {
        let seen: Promise<number[]> | undefined
        await store
          .transaction(async (tx) => {
            await note(tx, 1)
            seen = notes()
            // Awaiting the answer here would deadlock on the embedded store; these statements give it time to start.
            for (let i = 0; i < 20; i++) await tx.query('select 1')
            throw new Error('rolled back')
          })
          .catch(() => {})
        expect(await seen).toEqual([])
      })

      test('of a client that dies is rolled back, and others can write the same row', async () => {
        const dying = await subject.connect()
        dying.on('error', () => {})
        await dying.query('begin')
        await dying.query('insert into notes (id) values (7)')
        const insert = note(store, 7)
        const socket = (dying as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
        socket.destroy()
        await insert
        expect(await notes()).toEqual([7])
      })

      test('that adds to a row at the same time as many others loses no addition', async () => {
        await store.query(`insert into notes (id, text) values (1, '0')`)
        const add = () =>
          store.transaction(async (tx) => {
            const [row] = await tx.query<{ text: string }>('select text from notes where id = 1 for update')
            await tx.query('update notes set text = $1 where id = 1', [String(Number(row?.text) + 1)])
          })
        await Promise.all(Array.from({ length: 40 }, add))
        expect(await store.query('select text from notes')).toEqual([{ text: '40' }])
      })
    })

    test('200 concurrent queries, every fourth with 3 MB, each get their own answer', async () => {
      const large = 'x'.repeat(3_000_000)
      const other = await subject.connect()
      type Send = (sql: string, parameters: unknown[]) => Promise<unknown>
      const send = async (n: number, query: Send) => {
        const text = n % 4 === 0 ? `${n}${large}` : `${n}`
        const rows = await query('select $1::int as n, length($2) as length, md5($2) as md5', [n, text])
        return { rows, expected: [{ n, length: text.length, md5: createHash('md5').update(text).digest('hex') }] }
      }
      const byPool = Array.from({ length: 180 }, (_, n) => send(n, (sql, parameters) => store.query(sql, parameters)))
      try {
        const answers = []
        // A client outside the pool sends queries in between, one after the other.
        for (let n = 180; n < 200; n++) {
          answers.push(await send(n, async (sql, parameters) => (await other.query(sql, parameters)).rows))
        }
        answers.push(...(await Promise.all(byPool)))
        expect(answers).toHaveLength(200)
        for (const { rows, expected } of answers) expect(rows).toEqual(expected)
      } finally {
        await other.end()
      }
    })

    describe('a lease', () => {
      const lease = (holder: string, ttlMs = 60_000) => ({ name: 'leader', holder, ttlMs })

      test('has one holder at a time, who can renew it', async () => {
        expect(await acquireLease(store, lease('a'))).toBe(true)
        expect(await acquireLease(store, lease('b'))).toBe(false)
        expect(await acquireLease(store, lease('a'))).toBe(true)
        expect(await acquireLease(store, { ...lease('b'), name: 'another' })).toBe(true)
      })

      test('becomes free when it expires, or when its holder (nobody else) releases it', async () => {
        await acquireLease(store, lease('a', -1))
        expect(await acquireLease(store, lease('b'))).toBe(true)
        await releaseLease(store, { name: 'leader', holder: 'a' })
        expect(await acquireLease(store, lease('a'))).toBe(false)
        await releaseLease(store, { name: 'leader', holder: 'b' })
        expect(await acquireLease(store, lease('a'))).toBe(true)
      })

      test('admits one of many concurrent callers', async () => {
        const acquired = await Promise.all(
          Array.from({ length: 20 }, (_, i) => acquireLease(store, lease(`holder-${i}`))),
        )
        expect(acquired.filter(Boolean)).toHaveLength(1)
      })

      test('runs pieces of work one at a time, and is free after each, even a failed one', async () => {
        let inside = 0
        let most = 0
        const work = async () => {
          most = Math.max(most, ++inside)
          for (let i = 0; i < 5; i++) await store.query('select 1')
          inside--
          throw new Error('failed')
        }
        const outcomes = await Promise.allSettled(
          ['a', 'b', 'c'].map((holder) => withLease(store, lease(holder, 1_000), work)),
        )
        expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
        expect(most).toBe(1)
        expect(await acquireLease(store, lease('d'))).toBe(true)
      })

      test('aborts the work when another process takes it over', async () => {
        const reason = await withLease(store, lease('a', 300), async (signal) => {
          await store.query(`update leases set holder = 'thief', expires_at = now() + interval '1 hour'`)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return signal.reason as Error
        })
        expect(reason.message).toBe("lease 'leader' was lost to another process")
        expect(await store.query('select holder from leases')).toEqual([{ holder: 'thief' }])
      })

      test('shows how far its holder is, once a second and at each stage, until it ends; of a killed one that it is stale', async () => {
        let nowMs = 0
        const [seen] = await withLease(store, lease('a'), async () => {
          const note = workNotes(store, lease('a'), () => nowMs)
          const shown = async () => (await readWork(store)).map(({ stage, done, stale }) => [stage, done, stale].join())
          note({ stage: 'match', done: 0, total: 100 })
          await expect.poll(shown).toEqual(['match,0,false'])
          note({ stage: 'match', done: 10, total: 100 })
          expect(await shown()).toEqual(['match,0,false'])
          nowMs = 1_000
          note({ stage: 'match', done: 20, total: 100 })
          const shownAtJoin = () => {
            note({ stage: 'join', done: 0, total: null })
            return shown()
          }
          await expect.poll(shownAtJoin).toEqual(['join,0,false'])
          await store.query(`update leases set expires_at = now() - interval '1 second'`)
          expect(await shown()).toEqual(['join,0,true'])
          return readWork(store)
        })
        expect(seen).toMatchObject({ name: 'leader', total: null, stale: true })
        expect(await readWork(store)).toEqual([])
      })

      test('shows nothing of a former holder', async () => {
        await acquireLease(store, lease('a', -1))
        workNotes(store, lease('a'), () => 0)({ stage: 'match', done: 1, total: 2 })
        await expect.poll(() => readWork(store)).toHaveLength(1)
        await acquireLease(store, lease('b'))
        expect(await readWork(store)).toEqual([])
      })

      test("waits no longer than the caller's signal allows", async () => {
        await acquireLease(store, lease('a'))
        const work = withLease(store, lease('b'), async () => 'worked', AbortSignal.timeout(50))
        await expect(work).rejects.toThrow()
      })
    })

    describe('migrations', () => {
      test('give two concurrent starts one schema, and change nothing on the second run', async () => {
        await using place = await subject.fresh()
        const [one, two] = place.stores
        await Promise.all([migrate(one), migrate(two)])
        const versions = await one.query('select version from schema_migrations order by version')
        expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => ({ version: i + 1 })))
        const meta = await one.query('select * from meta order by key')
        expect(meta).toMatchObject([{ key: 'cursor_secret' }, { key: 'gen' }])
        await migrate(two)
        expect(await two.query('select * from meta order by key')).toEqual(meta)
        expect(await two.query('select name from leases')).toEqual([])

        await one.query('insert into schema_migrations (version) values ($1)', [SCHEMA_VERSION + 1])
        await expect(migrate(two)).rejects.toThrow(NewerSchema)
        expect(await schemaVersion(two)).toBe(SCHEMA_VERSION + 1)
      })

      test('that fail leave the schema at the last whole step, where a corrected one continues', async () => {
        const good = { version: SCHEMA_VERSION + 1, sql: 'create table added (id int)' }
        const bad = { version: SCHEMA_VERSION + 2, sql: 'create table half (id int); select 1 / 0' }
        await expect(migrate(store, [good, bad])).rejects.toMatchObject({ code: '22012' })
        expect(await schemaVersion(store)).toBe(good.version)
        expect(await store.query(`select to_regclass('half')::text as half`)).toEqual([{ half: null }])
        await migrate(store, [good, { ...bad, sql: 'create table half (id int)' }])
        expect(await schemaVersion(store)).toBe(bad.version)
      })
    })
  })
}
