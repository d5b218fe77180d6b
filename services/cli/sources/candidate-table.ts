import { table } from '@catalog/cli/shared/terminal.ts'
import { type DetectedSource, foldersOf } from './detect-source.ts'
import { type Candidate, countsOf } from './discovery.ts'
import { unknownColumns } from './source-preview.ts'

/** The candidates for people: what each address answered, and what its sample gave. */
export function candidatesText(candidates: readonly Candidate[]): string {
  const rows = candidates.map(({ way, address, answer, found }, i) => ({
    '': i + 1,
    way,
    address,
    answered: answer,
    documents: '',
    read: '',
    recorded: '',
    parked: '',
    ...(found !== null && figuresOf(found.sample)),
  }))
  return table(rows)
}

function figuresOf(sample: Parameters<typeof countsOf>[0]) {
  const { documents, records, recorded, parked, reason } = countsOf(sample)
  const why = parked > 0 ? `${parked}, mostly ${reason}` : reason === null ? 0 : reason
  return { documents, read: records, recorded, parked: why }
}

/** The candidates for machines. Figures are null where an address has no document that its way reads. */
export function candidatesJson(candidates: readonly Candidate[], chosen: Candidate | null) {
  return candidates.map((candidate) => {
    const { way, address, answer, failure, found } = candidate
    const counts = found === null ? NOTHING : countsOf(found.sample)
    return { way, address, answer, http_status: failure?.httpStatus ?? null, ...counts, chosen: candidate === chosen }
  })
}
const NOTHING = { documents: null, records: null, recorded: null, parked: null, reason: null }

/** Whether an answer of a person may make records of what is parked now. */
export const isHelpable = ({ found }: Candidate) =>
  found !== null && (lacksCurrency(found.sample) || unknownColumns(found.sample) !== null)

const lacksCurrency = (sample: Parameters<typeof countsOf>[0]) => countsOf(sample).reason === 'NO_CURRENCY'

/** Why no candidate is worth adding, one line each, and the command or the step that may help. */
export function refusalOf(candidates: readonly Candidate[]): { lines: readonly string[]; next: string } {
  const lines = candidates.map((candidate) => {
    const { way, address, answer, found } = candidate
    const why = found === null ? answer : emptyText(found.sample)
    return `${way === 'address' ? '' : `${way}: `}${address}: ${why}`
  })
  return { lines: ['nothing would be recorded, so nothing is added:', ...lines], next: nextOf(candidates) }
}

function emptyText(sample: Parameters<typeof countsOf>[0]): string {
  const { documents, records, parked, reason } = countsOf(sample)
  if (parked === 0) return `no record in ${documents} documents${reason === null ? '' : ` (${reason})`}`
  const { detail } = sample.preview?.parked.find((one) => one.reason === reason) ?? {}
  return `${parked} of ${records} records would be parked, mostly ${reason}${detail ? `: ${detail}` : ''}`
}

function nextOf(candidates: readonly Candidate[]): string {
  const first = (is: (candidate: Candidate) => boolean) => candidates.find(is)?.address
  const bare = first(({ found }) => found !== null && lacksCurrency(found.sample))
  if (bare !== undefined) return `catalog sources add ${bare} --currency EUR, with the shop's currency`
  const unknown = first(({ found }) => found !== null && unknownColumns(found.sample) !== null)
  if (unknown !== undefined) return `catalog sources add ${unknown} --mapping FILE, which says which column is what`
  if (candidates.some(({ failure }) => failure?.protection !== undefined)) return ASK
  const paged = candidates.find(({ found }) => found?.detected.hasPages ?? false)
  if (paged?.found != null) return includeText(paged.address, paged.found.detected)
  const isClosed = candidates.some(({ failure }) => CLOSED.test(String(failure?.httpStatus)))
  return isClosed ? ASK : 'catalog sources add FEED, with a feed or a price list of the shop'
}
/** Proposes folders that the site has. */
function includeText(address: string, { include, pages }: DetectedSource): string {
  const [glob, ...others] = include.length > 0 ? include : foldersOf(pages)
  const which = others.length === 0 ? '' : `: it also has ${others.join(', ')}`
  return glob === undefined
    ? `catalog sources add ${address} --include GLOB, which matches its product pages alone`
    : `catalog sources add ${address} --include "${glob}", with the folder of its products${which}`
}
/** A redirect that was not followed leads to a page that asks for a password, a consent or to sign in. */
const CLOSED = /^(?:401|403|30[12378])$/
/** A closed door stays closed to another address: the shop decides. */
const ASK = 'ask the shop for a feed, or for a key for the headers of its source: docs/crawling.md'
