import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describeStore } from '@catalog/stack/conformance/store.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { openStore } from '@catalog/store/db.ts'
import { acquireLease } from '@catalog/store/lease.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UNFINISHED_SUFFIX } from './cluster.ts'
import { DATA_FOLDER, openEmbedded } from './embedded.ts'

const remove = (dir: string) => rmSync(dir, { recursive: true, force: true })

describeStore('embedded', async () => {
  const dir = await testDataDir()
  const embedded = await openEmbedded({ dir })
  return {
    store: embedded.store,
    connect: () => connect(dir),
    async fresh() {
      const freshDir = mkdtempSync(join(tmpdir(), 'catalog-test-'))
      const owner = await openEmbedded({ dir: freshDir })
      const other = await openStore({ kind: 'embedded', connection: { socketDir: freshDir } })
      return {
        schema: 'catalog',
        stores: [owner.store, other] as const,
        async [Symbol.asyncDispose]() {
          await other[Symbol.asyncDispose]()
          await owner[Symbol.asyncDispose]()
          remove(freshDir)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await embedded[Symbol.asyncDispose]()
      remove(dir)
    },
  }
})

describe('the folder of an embedded store', () => {
  let dir: string
  const children: ChildProcess[] = []
  beforeEach(async () => {
    dir = await testDataDir()
  })
  afterEach(async () => {
    for (const child of children.splice(0)) await killed(child)
    remove(dir)
  })

  /** Starts a process that runs `body` with `embedded` opened in the folder. */
  const spawnWith = (body: string) => {
    const script = `
      const { openEmbedded } = await import(${JSON.stringify(EMBEDDED)})
      const embedded = await openEmbedded({ dir: ${JSON.stringify(dir)} })
      const { store } = embedded
      ${body}`
    // A file, not --eval: a worker thread inherits that option and refuses it.
    const file = join(dir, 'process.mjs')
    writeFileSync(file, script)
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    return { child, lines: createInterface({ input: child.stdout }) }
  }

  test("a second process opens it through the first, and both see each other's writes", async () => {
    await using embedded = await openEmbedded({ dir })
    await embedded.store.query('create table notes (writer text)')
    const { child, lines } = spawnWith(`
      await store.query("insert into notes values ('second')")
      console.log(embedded.owner)
      await embedded[Symbol.asyncDispose]()`)
    const [owner] = await once(lines, 'line')
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    await embedded.store.query(`insert into notes values ('first')`)
    expect(owner).toBe('false')
    expect(code).toBe(0)
    expect(await embedded.store.query('select writer from notes order by writer')).toEqual([
      { writer: 'first' },
      { writer: 'second' },
    ])
  })

  test('takes less than 350 MiB while it evaluates expressions', async () => {
    // Twice as many statements as make V8 optimise what they run.
    const { lines } = spawnWith(`
      for (let i = 0; i < 40; i++) await store.query('select sum(n * 2 + length(n::text)) from generate_series(1, 2000) n')
      const { readFileSync } = await import('node:fs')
      console.log(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1] / 2 ** 10)
      await embedded[Symbol.asyncDispose]()`)
    const [mebibytes] = await once(lines, 'line')
    expect(Number(mebibytes)).toBeLessThan(350)
  })

  test('keeps every acknowledged insert when its process is killed, and opens again', async () => {
    const acknowledged: number[] = []
    for (let round = 0; round < 3; round++) {
      const { child, lines } = spawnWith(`
        await store.query('create table if not exists notes (id int primary key, text text)')
        const [{ next }] = await store.query('select coalesce(max(id) + 1, 0) as next from notes')
        for (let id = next; ; id++) {
          await store.query('insert into notes values ($1, $2)', [id, 'x'.repeat(id % 5000)])
          console.log(id)
        }`)
      // More than a WAL page's worth each round, so that the kill can hit the middle of the log.
      let left = 100 + 37 * round
      for await (const line of lines) {
        acknowledged.push(Number(line))
        if (--left === 0) child.kill('SIGKILL')
      }
      await killed(child)
    }
    await using embedded = await openEmbedded({ dir })
    const rows = await embedded.store.query<{ id: number }>('select id from notes order by id')
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.length).toBeGreaterThanOrEqual(100 + 137 + 174)
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    // The one unacknowledged insert of each round may be stored as well.
    expect(stored.size - new Set(acknowledged).size).toBeLessThanOrEqual(3)
  })

  test('that a killed first start left unfinished is created anew; a finished one is kept', async () => {
    // given: files of a cluster that initdb did not complete
    const data = join(dir, DATA_FOLDER)
    for (const path of ['PG_VERSION', 'global/pg_control']) rmSync(join(data, path))
    writeFileSync(`${data}${UNFINISHED_SUFFIX}`, '')
    {
      await using embedded = await openEmbedded({ dir })
      await embedded.store.query('create table kept as select 7 as n')
    }
    expect(existsSync(`${data}${UNFINISHED_SUFFIX}`)).toBe(false)
    await using again = await openEmbedded({ dir })
    expect(await again.store.query('select n from kept')).toEqual([{ n: 7 }])
  })

  test('frees the leases of a killed owner, but keeps those of its living clients', async () => {
    const { child, lines } = spawnWith(`
      await store.query("insert into leases values ('leader', 'killed', now() + interval '1 hour')")
      console.log('taken')
      setInterval(() => {}, 1000)`)
    await once(lines, 'line')
    {
      await using client = await openEmbedded({ dir })
      expect(client.owner).toBe(false)
      expect(await acquireLease(client.store, { name: 'leader', holder: 'next', ttlMs: 1000 })).toBe(false)
    }
    await killed(child)
    await using embedded = await openEmbedded({ dir })
    expect(embedded.owner).toBe(true)
    expect(await acquireLease(embedded.store, { name: 'leader', holder: 'next', ttlMs: 1000 })).toBe(true)
  })

  test('listens in no folder that another user could have put in its place', async () => {
    using base = mkdtempDisposableSync(join(tmpdir(), 'catalog-test-'))
    const deep = join(base.path, 'a'.repeat(90))
    mkdirSync(deep)
    const name = `catalog-${createHash('sha256').update(realpathSync(deep)).digest('hex').slice(0, 16)}`
    symlinkSync(base.path, join(base.path, name))
    const options = { dir: deep, runtimeDir: base.path }
    await expect(openEmbedded(options)).rejects.toThrow(`${name}' is a link or a file: expected a folder`)
    rmSync(join(base.path, name))
    await using embedded = await openEmbedded(options)
    // A process without that variable finds the socket too.
    await using joined = await openEmbedded({ dir: deep })
    expect([embedded.owner, joined.owner]).toEqual([true, false])
  })

  test('is found by a second process though its folder was moved from a longer path', async () => {
    writeFileSync(join(dir, 'socket-dir'), '/nowhere')
    await using owner = await openEmbedded({ dir })
    await using joined = await openEmbedded({ dir })
    expect([owner.owner, joined.owner]).toEqual([true, false])
  })

  test('cuts off a client that sleeps in a transaction', async () => {
    await using embedded = await openEmbedded({ dir })
    await embedded.store.query('create table notes (id int)')
    const sleeping = await connect(dir)
    sleeping.on('error', () => {})
    const cut = new Promise<void>((resolve) => sleeping.once('end', resolve))
    await sleeping.query('begin')
    await sleeping.query('insert into notes values (1)')
    expect(await embedded.store.query('select id from notes')).toEqual([])
    await cut
  })

  test('answers pending queries before its owner stops, and loses nothing', async () => {
    {
      await using embedded = await openEmbedded({ dir })
      await embedded.store.query('create table notes (id int)')
      await Promise.all(
        Array.from({ length: 50 }, (_, id) => embedded.store.query('insert into notes values ($1)', [id])),
      )
    }
    await using embedded = await openEmbedded({ dir })
    expect(await embedded.store.query('select count(*)::int as count from notes')).toEqual([{ count: 50 }])
  })
})

const EMBEDDED = fileURLToPath(new URL('./embedded.ts', import.meta.url))

async function connect(dir: string): Promise<pg.Client> {
  const client = new pg.Client({ host: dir, port: 5432, user: 'postgres', database: 'postgres' })
  await client.connect()
  return client
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
