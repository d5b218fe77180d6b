import { compareText, foldText } from '@catalog/core/text.ts'
import type { SourceVoices } from './source-voices.ts'

/**
 * Finds sources whose names differ in punctuation, case, white space, accents and legal form only. Such pairs are
 * proposals: two companies may share a name, so a person decides.
 */

/** Legal forms without blanks and dots, as they end a name; of companies whose names builders meet in eight languages. */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  `sl slu sll slne slp sa sau sal sc sca scp scoop sociedadlimitada sociedadanonima
   sadecv sabdecv sapidecv srldecv sderldecv srldecvmi saic sac saa sas sasu eirl scrl
   lda ltda limitada unipessoal unipessoallda eireli epp
   sarl eurl snc sci scop srl srls spa
   gmbh ggmbh ag kg ohg ug mbh se bv nv vof oy oyj aps
   ltd limited plc llp cic inc incorporated corp corporation co company llc lc lp lllp pllc pc gp pty proprietary`.split(
    /\s+/,
  ),
)
/** Words of the longest legal form: "S. de R. L. de C. V.". */
const FORM_WORDS_MAX = 7

/** "Bridge & Road" and "Bridge and Road": the sign is punctuation, so its words count as such; initials do not. */
const AND: ReadonlySet<string> = new Set(['and', 'y', 'e', 'et', 'und'])
const isLong = (word: string | undefined) => word !== undefined && word.length > 1

/** A name without case, accents, punctuation, blanks, words for "&", and the legal forms at its end. Equal keys may be one vendor. */
export function vendorNameKey(name: string): string {
  const words = foldText(name)
    .replace(/['’`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .filter((word, at, all) => !(AND.has(word) && isLong(all[at - 1]) && isLong(all[at + 1])))
  let end = words.length
  for (let stripped = formWords(words, end); stripped > 0; stripped = formWords(words, end)) end -= stripped
  return words.slice(0, end).join('')
}

/** The words of the longest legal form that ends here; 0 without one, or where nothing else would remain. */
function formWords(words: readonly string[], end: number): number {
  for (let count = Math.min(FORM_WORDS_MAX, end - 1); count > 0; count--) {
    if (LEGAL_FORMS.has(words.slice(end - count, end).join(''))) return count
  }
  return 0
}

type NamedSource = Readonly<{ sourceId: string; name: string; region: string | null; trust: number }>

/** Two sources that may be one legal vendor; the canonical one would speak for both. */
export type SpellingProposal<Source extends NamedSource = NamedSource> = Readonly<{ source: Source; canonical: Source }>

/**
 * The open proposals, by ids of canonical and source: sources that speak for themselves, of equal key, of one region or one of them without.
 * Of each key and region the source with most trust, then the smallest id, is canonical for the others.
 */
export function spellingProposals<Source extends NamedSource>(
  sources: readonly Source[],
  { voices, apart }: { voices: SourceVoices; apart: ReadonlySet<string> },
): SpellingProposal<Source>[] {
  const speaking = sources.filter(({ sourceId }) => !voices.has(sourceId)).sort(byPrecedence)
  const found: SpellingProposal<Source>[] = []
  const add = (source: Source, canonical: Source) => {
    if (!apart.has(sourcePair(source.sourceId, canonical.sourceId))) found.push({ source, canonical })
  }
  for (const alike of Map.groupBy(speaking, ({ name }) => vendorNameKey(name)).values()) {
    const regions = Map.groupBy(alike, ({ region }) => region)
    const leaders: Source[] = []
    for (const [region, [canonical, ...others]] of regions) {
      for (const source of others) add(source, canonical as Source)
      if (region !== null) leaders.push(canonical as Source)
    }
    const [unplaced] = regions.get(null) ?? []
    if (unplaced !== undefined) for (const canonical of leaders) add(unplaced, canonical)
  }
  return found.sort(
    (a, b) =>
      compareText(a.canonical.sourceId, b.canonical.sourceId) || compareText(a.source.sourceId, b.source.sourceId),
  )
}

/** One key for two sources, independent of the order: the subject of their decisions. */
function sourcePair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

function byPrecedence(a: NamedSource, b: NamedSource): number {
  return b.trust - a.trust || compareText(a.sourceId, b.sourceId)
}
