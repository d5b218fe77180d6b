import { join } from 'node:path'
import { failed, passed, runJudges, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { type Counts, compare, NOTHING } from './compare.ts'
import { readDocument } from './read-document.ts'
import { readTruth, type SavedPlatform } from './truth.ts'

/** The project's own documents, written after the public descriptions that each table names. */
export const DOCUMENTS = join(import.meta.dirname, 'documents')
/** Share of the records that a table records, and that may be parked instead. */
const WRONGLY_PARKED_SHARE_MAX = 0.03

/**
 * Saved documents of shops, read by the code of a crawl and compared with a table of what is true of them: one verdict
 * for each platform, and one for all. A platform fails when a record is wrong or lost; all fail when more than 3 % of
 * the records are wrongly parked. Throws BadTruth for a folder without readable tables.
 */
export async function judgeShops(
  folder: string | undefined,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const platforms = readTruth(folder ?? DOCUMENTS)
  const total: Counts[] = []
  let documents = 0
  const verdicts = platforms.map((platform) => ({
    name: platform.name,
    async run() {
      const { counts, faults } = await judgePlatform(platform)
      total.push(counts)
      documents += platform.documents.length
      const says = `${platform.documents.length} documents: ${saysOf(counts)}`
      // The share of wrongly parked offers is judged over all platforms together.
      const details = faults.join('\n')
      return { ...(isRight(counts) ? passed(says) : failed(says, details)), details, counts }
    },
  }))
  const whole = {
    name: 'all platforms',
    async run() {
      const counts = total.reduce(sumOf, NOTHING)
      const says = `${platforms.length} platforms, ${documents} documents: ${saysOf(counts)}`
      const share = wronglyParkedShare(counts)
      const limit = `expected at most ${WRONGLY_PARKED_SHARE_MAX * 100} % wrongly parked, found ${(share * 100).toFixed(1)} %`
      if (share > WRONGLY_PARKED_SHARE_MAX) return { ...failed(says, limit), counts }
      return { ...(isRight(counts) ? passed(says) : failed(says, '')), counts }
    },
  }
  return await runJudges([...verdicts, whole], report)
}

/** The counts of a platform, and each fault with its document. */
export async function judgePlatform({ name, documents }: SavedPlatform): Promise<{ counts: Counts; faults: string[] }> {
  const faults: string[] = []
  let counts = NOTHING
  for (const document of documents) {
    const compared = compare(document, await readDocument(document))
    counts = sumOf(counts, compared.counts)
    faults.push(...compared.faults.map((fault) => `${name}, ${document.name}: ${fault}`))
  }
  return { counts, faults }
}

const isRight = ({ wrong, lost }: Counts) => wrong === 0 && lost === 0

/** The wrongly parked among the records of the tables. */
export function wronglyParkedShare({ right, wrong, lost, wronglyParked }: Counts): number {
  const records = right + wrong + lost + wronglyParked
  return records === 0 ? 0 : wronglyParked / records
}

function sumOf(one: Counts, other: Counts): Counts {
  const keys = Object.keys(NOTHING) as (keyof Counts)[]
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as Counts
}

function saysOf({ right, wrong, lost, rightlyParked, wronglyParked, missed }: Counts): string {
  return `${right} right, ${wrong} wrong, ${lost} lost, ${rightlyParked} rightly parked, ${wronglyParked} wrongly parked, ${missed} missed`
}
