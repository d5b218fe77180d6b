import { mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, answerOf, type CommandOptions, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { expect, test } from 'vitest'

const missing = unavailable('postgres')
const ROWS_A_LIST = 4

type Status = { counts: { observations: number; items: number }; roots: Record<string, string>; seq: number }
type Mirrored = {
  scopes: { items: { gen: string; seq: number; count: number; applied: number; began: string | null } }
}

/** Writes a list of one vendor; lists of other numbers have other articles. */
function writeList(folder: string, number: number): string {
  const path = join(folder, `${number}.csv`)
  const rows = Array.from(
    { length: ROWS_A_LIST },
    (_, i) => `R${number}-${i},Spare part ${number}x${i},u,${number + 1}.${i}`,
  )
  writeFileSync(path, `ref,name,unit,price\n${rows.join('\n')}\n`)
  return path
}

test.skipIf(missing !== null).concurrent.each(['embedded', 'postgres'] as const)(
  `${missing ?? ''}a catalog that is destroyed after a backup during a crawl comes back (%s), and its mirror follows`,
  async (kind) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-backup-'))
    const [data, backups, copy] = ['data', 'backups', 'copy'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ]
    const optionsOn = async (): Promise<CommandOptions> => ({
      data,
      env: kind === 'postgres' ? { DATABASE_URL: await emptyDatabase() } : {},
    })
    let options = await optionsOn()
    const asked = '--source Northern --region ES --currency EUR --observed-at 2026-11-20'.split(' ')
    const crawl = (...numbers: number[]) =>
      answerOf(['crawl', ...numbers.map((number) => writeList(folder.path, number)), ...asked], options)
    const run = (asOf: string) => answerOf(['aggregate', '--as-of', asOf], options)
    const status = async () => (await answerOf(['status'], options)) as Status

    // given: a catalog in use, with a mirror
    await crawl(0)
    await run('2026-11-21')
    const up = startCatalog(['up', '--json', '--port', '0'], options)
    await using _up = up
    const mirror = async (url: string) =>
      ((await answerOf(['mirror', url, '--into', copy], options)) as Mirrored).scopes.items
    await mirror(`${await addressOf(up)}/feeds`)

    // when: a backup is made between and beside crawls, a run publishes more, and all is destroyed
    await crawl(1)
    let isSaved = false
    const crawling = (async () => {
      let lists = 2
      do await crawl(lists++)
      while (!isSaved)
      return lists
    })()
    const { folder: backup, seq } = (await answerOf(['backup', '--to', backups], options)) as {
      folder: string
      seq: number
    }
    isSaved = true
    const lists = await crawling
    await run('2026-11-22')
    const lost = await mirror(`${await addressOf(up)}/feeds`)
    expect(lost.seq).toBeGreaterThan(seq)
    up.kill('SIGKILL')
    await up.finished
    rmSync(data, { recursive: true })
    options = await optionsOn()

    // then: it comes back as it was, crawling again adds what is missing, and nothing twice
    const restored = (await answerOf(['restore', backup], options)) as {
      seq: number
      roots: object
      gen: { to: string }
    }
    const then = await status()
    expect([restored.seq, then.seq, then.roots]).toEqual([seq, seq, restored.roots])
    const { observations } = then.counts
    expect(observations).toBeGreaterThanOrEqual(2 * ROWS_A_LIST)
    expect(observations).toBeLessThanOrEqual(lists * ROWS_A_LIST)
    await crawl(...Array(lists).keys())
    expect((await status()).counts.observations).toBe(lists * ROWS_A_LIST)
    await run('2026-11-23')
    expect(await answerOf(['verify'], options)).toMatchObject({ ok: true })
    await using again = startCatalog(['up', '--json', '--port', '0'], options)
    const followed = await mirror(`${await addressOf(again)}/feeds`)
    expect([followed.gen, followed.count]).toEqual([restored.gen.to, (await status()).counts.items])
  },
)
