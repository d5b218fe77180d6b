import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGUES, crawlRealInputs, faultsOf, realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { expect, test } from 'vitest'

const folder = realInputsFolder()

// One catalogue here; with TEST_RUNS=6 all six, which takes minutes.
const CATALOGUES_MAX = Number(process.env.TEST_RUNS ?? 1)
const TIMEOUT_MS = 1_200_000
test.skipIf(folder === null)(
  `a real catalogue and every real BC3 file are accounted for to the record${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`,
  async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'catalog-real-'))
    const report = await crawlRealInputs({
      folder: folder as string,
      data: join(temporary.path, 'data'),
      catalogues: CATALOGUES.slice(0, CATALOGUES_MAX),
    })
    expect(faultsOf(report)).toEqual([])
    expect(report.accounts.length).toBeGreaterThan(1)
    // Codes that appear twice with other names or units are parked; almost everything else is a price.
    const [catalogue] = report.accounts
    expect(catalogue?.appended).toBeGreaterThan(0.9 * (catalogue?.read ?? 0))
  },
  TIMEOUT_MS,
)
