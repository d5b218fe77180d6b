import { mkdtempDisposableSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { importLog } from '@catalog/cli/log/import.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { openDeadLetters, readCounts } from '@catalog/store/builds/status.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/** The roots of each golden log (libs/core/changes/golden.test.ts), for ever: another root is a broken promise. */
const GOLDEN = [
  {
    file: 'log-1.ndjson',
    records: 119,
    seq: 33,
    catalog: 'f1b503230b3cf8c9528d50659b80078dfa8c6578273f4bf7c9eb22dd670a9134',
    vendor: 'c82d1b706ce0a387982d9d855775906e04619b4ef20f497b3d0df6686bf7fc7f',
    counts: { sources: 5, vendor_skus: 21, observations: 21, items: 12, items_priced: 4, parked: 1, quarantined: 1 },
  },
  // A rule that catalog what-if accepted, and a partial retraction of it.
  {
    file: 'log-2.ndjson',
    records: 35,
    seq: 8,
    catalog: '78fd97db99fc96d8a602935970c6feec33dc146771f5105bc68112d7313c2fb0',
    vendor: '9017d22cbb8f23cf9b83e275ff8d29d3a5e6684875668fc2f1f8f6ebae048cea',
    counts: { sources: 3, vendor_skus: 6, observations: 7, items: 3, items_priced: 3, parked: 0, quarantined: 0 },
  },
  // Guarded votes (twm/3): open taxes, a tier, a first price in quarantine, then a rule for the taxes.
  {
    file: 'log-3.ndjson',
    records: 23,
    seq: 2,
    catalog: 'dd28ea1d51296f828d8230738bad81dc777952a214f1b673e89a854a245c3d14',
    vendor: '9fcd7cc9a3740c0be34ea6c43a0f57fdaf45fabf04b57c46deae380ce6a4d226',
    counts: { sources: 5, vendor_skus: 5, observations: 5, items: 1, items_priced: 1, parked: 0, quarantined: 1 },
  },
  // An unknown unit that founded an item, its aliases in one source and in all, and one taken back.
  {
    file: 'log-4.ndjson',
    records: 18,
    seq: 3,
    catalog: 'e75045a33c2cf6fb794db4478b185f79eaa3e8227eaba99a7dbd1615397a7051',
    vendor: '2a118da73ee92bbca8650d05548e59870052f58c725d27a97b0bc8e679fac345',
    counts: { sources: 2, vendor_skus: 2, observations: 2, items: 1, items_priced: 1, parked: 0, quarantined: 0 },
  },
  // A chain of source aliases, its second link taken back, and two sources that a person keeps apart.
  {
    file: 'log-5.ndjson',
    records: 25,
    seq: 3,
    catalog: '45fa96fa439b5770b12b4c84d5391f90181d26392b51278e31256129e7d832dd',
    vendor: '5fce377c7d6eb6cae831e17eeea7242093fec3f7a8b951b3307a2bac04d3c7e0',
    counts: { sources: 4, vendor_skus: 4, observations: 4, items: 1, items_priced: 1, parked: 0, quarantined: 0 },
  },
  // A rematch by another rule, and an item that a person confirmed though its prices stand apart.
  {
    file: 'log-6.ndjson',
    records: 29,
    seq: 4,
    catalog: 'aa0ccb39233781af7df2a587bbab0adb0ca92b34fdf5b0ec21664abd664e53e6',
    vendor: '140be6adad467ccec6ff99ef8dc60fe6009b6e29b16af70c72d8e306396f9b3a',
    counts: { sources: 4, vendor_skus: 4, observations: 4, items: 2, items_priced: 2, parked: 0, quarantined: 0 },
  },
  // Points of three indices, one revised and one retracted, and the licence of their publisher.
  {
    file: 'log-7.ndjson',
    records: 13,
    seq: 1,
    catalog: '44d9fe0179b3c79427cd914c6f89f0a4d0adae03c42745a29e7ad5d205d99a4e',
    vendor: 'b9908a3eb8ed319b09ae321b3f690ea4373563875751dced3a834470aba2d843',
    counts: { sources: 1, vendor_skus: 1, observations: 1, items: 1, items_priced: 1, parked: 0, quarantined: 0 },
  },
  // A reference that a vendor uses for a third article, and a run of the future that a person took back.
  {
    file: 'log-8.ndjson',
    records: 34,
    seq: 9,
    catalog: '45d75c3bcb8aef8d166a929510108923b61e019b644004c3fa2609783db72332',
    vendor: 'd2361a4da0990d0b481b2bf0e9c1c71f11c448bbf0c26ac49181067bd313e3aa',
    counts: { sources: 2, vendor_skus: 4, observations: 6, items: 3, items_priced: 2, parked: 0, quarantined: 0 },
  },
] as const
const FOLDER = resolve(import.meta.dirname, '../../../libs/core/golden')

const path = await pathOfFile()
beforeEach(() => path.reset())

describe('a golden log', () => {
  test('each has its roots here', () => {
    expect(GOLDEN.map(({ file }) => file)).toEqual(readdirSync(FOLDER).sort())
  })

  test.each(GOLDEN)('$file folds to its roots', async ({ file, records, ...expected }) => {
    const { heard, terminal } = listening()
    using spool = mkdtempDisposableSync(join(tmpdir(), 'golden-'))
    const catalog = { log: path.log, mode: 'embedded' as const, catchUp: path.project, spoolDir: spool.path }
    const { signal } = new AbortController()
    await importLog({ catalog, terminal, signal }, [join(FOLDER, file)], {})
    expect(heard.answers).toMatchObject([{ copy: true, files: [{ records, appended: records }] }])
    expect({ seq: await path.seq(), ...(await path.roots()), counts: await readCounts(path.store) }).toEqual(expected)
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })
})

test('an event of an unknown version is parked unchanged, and its neighbours are applied', async () => {
  const newer = { ...observation({ ref: 'newer' }), v: 2, per: 'pallet' }
  await path.append([registration(), observation({ ref: 'before' })])
  await path.log.append(TOPICS.observations, [{ key: 'key', value: JSON.stringify(newer) }])
  await path.append([observation({ ref: 'after' })])
  const parked = await openDeadLetters(path.store, { limit: 10 })
  expect(parked).toMatchObject([{ reason: 'UNKNOWN_EVENT', origin: 'projector', raw: JSON.stringify(newer) }])
  expect(await readCounts(path.store)).toMatchObject({ observations: 2, parked: 1 })
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
})
