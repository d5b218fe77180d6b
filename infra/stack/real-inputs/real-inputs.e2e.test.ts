import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGUES, crawlRealInputs, faultsOf, realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { expect, test } from 'vitest'

const folder = realInputsFolder()

// One catalogue here; `node infra/stack/servers/real-inputs.ts` takes all six.
test.skipIf(folder === null)(
  `a real catalogue and every real BC3 file are accounted for to the record${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`,
  async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'catalog-real-'))
    const report = await crawlRealInputs({
      folder: folder as string,
      data: join(temporary.path, 'data'),
      catalogues: CATALOGUES.slice(0, 1),
    })
    expect(faultsOf(report)).toEqual([])
    expect(report.accounts.length).toBeGreaterThan(1)
    // Codes that appear twice with other names or units are parked; almost everything else is a price.
    const [catalogue] = report.accounts
    expect(catalogue?.appended).toBeGreaterThan(0.9 * (catalogue?.read ?? 0))
  },
)
