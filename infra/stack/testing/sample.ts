import { bytesSource } from '@catalog/formats/bytes/record.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { vendorFile } from '@catalog/sample-files/price-list.ts'
import type { Sample } from '@catalog/sample-files/sample.ts'
import type { SampleVendor } from '@catalog/sample-files/vendors.ts'

/** What the product's own reader reads in the list that each vendor of the sample has on this day ("2026-11-20"). */
export async function sampleContents(
  sample: Sample,
  day: string,
): Promise<readonly Readonly<{ vendor: SampleVendor; content: ObservationContent }>[]> {
  const found: { vendor: SampleVendor; content: ObservationContent }[] = []
  const defaults = { source: 'unnamed', notAfter: new Date(`${day}T00:00:00Z`) }
  for (const vendor of sample.vendors) {
    const { fileName, bytes, mapping } = vendorFile({ sample, vendor: vendor.key, day })
    for await (const { outcomes } of readOutcomes(bytesSource(fileName, bytes), { mapping, defaults })) {
      for (const { result } of outcomes) if ('content' in result) found.push({ vendor, content: result.content })
    }
  }
  return found
}
