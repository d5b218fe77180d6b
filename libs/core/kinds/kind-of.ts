import type { Kind } from '@catalog/core/events/items.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import type { ParsedUnit } from '@catalog/core/units/unit.ts'
import {
  findPhrases,
  type Hit,
  indexPhrases,
  LANGUAGES,
  type Meaning,
  type PhraseIndex,
  readVocabulary,
  type Subject,
  type Word,
  wordsOf,
} from './vocabulary.ts'

/** Grades of labour from the crew's head down. An "officer" is a first or a second, the text does not say which. */
export const GRADES = ['foreman', 'first', 'second', 'officer', 'helper', 'apprentice', 'labourer'] as const
export type Grade = (typeof GRADES)[number]

/** Why a value was read: the word, unit, structure or category that said so. `text` is folded. */
export type KindEvidence = Readonly<{
  about: 'kind' | 'grade' | 'trade' | 'action' | 'operator'
  value: string
  by: 'word' | 'unit' | 'category' | 'structure'
  text: string
}>

/** What the texts of a SKU say of its kind. Null for what they do not say. */
export type KindReading = Readonly<{
  kind: Kind | null
  /** Of labour alone. */
  grade: Grade | null
  /** Of labour alone: the trades that the name holds, sorted. */
  trades: readonly string[]
  /** What a work, or a line of a bid, does: "supply and install", "remove", "mill". */
  action: string | null
  /** Of machinery and hire: whether a person runs the machine for the price. */
  operator: 'with' | 'without' | null
  /** Of machinery and hire: the machine that the name begins with. */
  machine: string | null
  /** The price is per hour, day, week or month. */
  isByTime: boolean
  evidence: readonly KindEvidence[]
}>

/** The texts that tell a kind. */
export type KindTexts = Readonly<{
  name: string
  lang?: string | undefined
  unit: string | null
  pack?: Readonly<{ quantity: string; unit: string }> | undefined
  gtin?: string | undefined
  manufacturerRef?: string | undefined
  categoryPath?: readonly string[] | undefined
}>

const NAME_SUBJECTS: readonly Subject[] = ['kinds', 'grades', 'trades', 'machines', 'operators', 'actions']

/** Indexes of the words of names by language, and of the words of categories: one read a process, at the first name. */
function phraseIndexes() {
  const vocabularies = Object.fromEntries(NAME_SUBJECTS.map((subject) => [subject, readVocabulary(subject)] as const))
  return {
    byLanguage: new Map<string | null, PhraseIndex>(
      [...LANGUAGES, null].map((language) => [
        language,
        indexPhrases(vocabularies, { language, places: ['anywhere', 'head'] }),
      ]),
    ),
    // Vendors write categories in the language of their shop, which need not be that of the name.
    ofCategories: indexPhrases({ kinds: readVocabulary('kinds') }, { language: null, places: ['categories'] }),
  }
}
let read: ReturnType<typeof phraseIndexes> | undefined
const indexes = () => {
  read ??= phraseIndexes()
  return read
}

/** Reads the kind of a SKU from its texts alone. Words of the SKU's language count, or of all where it is not known. */
export function kindOf(sku: KindTexts): KindReading {
  const { name, lang, unit, pack, gtin, manufacturerRef, categoryPath } = sku
  const key = JSON.stringify([name, lang, unit, pack, gtin, manufacturerRef, categoryPath])
  return READINGS(key, () => readKind(sku))
}
/** Every run reads the texts of every item that may change, and every search those of what it found. */
const READINGS = openMemo<KindReading>(20_000)

function readKind(sku: KindTexts): KindReading {
  const words = wordsOf(sku.name)
  const { byLanguage } = indexes()
  const index = byLanguage.get(sku.lang ?? null) ?? (byLanguage.get(null) as PhraseIndex)
  const said = new Said(findPhrases(index, words), words)
  const unit = sku.unit === null ? null : parseUnit(sku.unit, sku)
  const category = categoryKind(sku.categoryPath)
  if (unit && isTime(unit)) return { ...timeReading(said, { unit, category }), isByTime: true }
  return measuredReading(said, { sku, unit, category })
}

/** An hour of any kind, or a day, week or month. */
function isTime({ dimension }: ParsedUnit): boolean {
  return dimension === 'time' || TIME_COUNTS.has(dimension)
}
const TIME_COUNTS: ReadonlySet<string> = new Set(['count:day', 'count:man-day', 'count:week', 'count:month'])

// What a name says -----------------------------------------------------------------------------------------------------

type Found = Readonly<{ value: string; text: string; at: number; end: number; isHead: boolean; isAdded: boolean }>

/** The phrases of a name by subject, those that stand where they count. */
class Said {
  readonly hits: readonly Hit[]
  readonly words: readonly Word[]
  readonly #bySubject = new Map<Subject, Found[]>()

  constructor(hits: readonly Hit[], words: readonly Word[]) {
    this.hits = hits
    this.words = words
    for (const { meanings, text, at, end } of hits) {
      for (const meaning of meanings) {
        const isHead = at === 0
        if (meaning.place === 'head' && !this.#isAtHead(meaning, { meanings, text, at, end })) continue
        // "Bolts for installation" are no work.
        if (words[at]?.isPurpose && !OF_MACHINES.has(meaning.subject)) continue
        const found = this.#bySubject.get(meaning.subject) ?? []
        // Two languages may share a word.
        if (found.some((each) => each.at === at && each.value === meaning.value)) continue
        found.push({ value: meaning.value, text, at, end, isHead, isAdded: words[at]?.isAdded === true })
        this.#bySubject.set(meaning.subject, found)
      }
    }
  }

  /** The head of a name begins it or a part of it; English names also end with it, and German ones hold it anywhere. */
  #isAtHead({ language, subject, value }: Meaning, { at, end, text }: Hit): boolean {
    if (language === 'de') return true
    if (subject === 'kinds') return at === 0 || (language === 'en' && this.words[end]?.ends === true)
    if (language === 'en') {
      // "Installation wire" is no work, "installation of wire" and "install wire" are.
      const isNamed = SHARED_NOUNS.has(value) && !VERBS.has(text) && this.words[end]?.hasOf !== true
      return (this.words[at]?.starts === true && !isNamed) || this.words[end]?.ends === true
    }
    return this.words[at]?.starts === true
  }

  all(subject: Subject): readonly Found[] {
    return this.#bySubject.get(subject) ?? []
  }

  first(subject: Subject, value?: string): Found | null {
    return this.all(subject).find((found) => value === undefined || found.value === value) ?? null
  }

  /** A grade or trade that is not what comes with a machine ("con gruista"). */
  get isPerson(): boolean {
    const people = [...this.all('grades'), ...this.all('trades')].some(({ isAdded }) => !isAdded)
    return people || this.first('kinds', 'labour')?.isHead === true
  }

  /** Work that lists price by weight: steel that is cut, bent and placed. A single noun names goods. */
  get doneToWeight(): Found | null {
    const isDone = ({ value, text }: Found) =>
      value === 'work' && (text.includes(' ') || /^(coloca|instala|pose)/.test(text))
    return this.all('kinds').find(isDone) ?? null
  }

  /** A digit in the name: machines have sizes, people have none. */
  get hasNumber(): boolean {
    return this.words.some(({ text }) => /\d/.test(text) && !/^[12][aoº]$/.test(text))
  }
}

const OF_MACHINES: ReadonlySet<string> = new Set(['machines', 'operators'])
/** English actions whose words also stand before goods: "repair kit", "transport rail", "cleaning cloth". */
const SHARED_NOUNS: ReadonlySet<string> = new Set(['install', 'repair', 'transport', 'clean'])
/** Words of these actions that stand before no goods. */
const VERBS: ReadonlySet<string> = new Set(['install', 'installing', 'lay', 'laying', 'erect', 'fix only'])

type CategoryKind = Readonly<{ kind: Kind; text: string }>

/** The kind that the path's deepest step with a known word names. */
function categoryKind(path: readonly string[] | undefined): CategoryKind | null {
  for (const step of (path ?? []).toReversed()) {
    const [hit] = findPhrases(indexes().ofCategories, wordsOf(step))
    const [meaning] = hit?.meanings ?? []
    if (hit && meaning) return { kind: meaning.value as Kind, text: hit.text }
  }
  return null
}

// By time -------------------------------------------------------------------------------------------------------------

function timeReading(said: Said, { unit, category }: { unit: ParsedUnit; category: CategoryKind | null }): KindReading {
  const machine = said.first('machines')
  const people = said.first('grades') ?? said.first('trades') ?? said.first('kinds', 'labour')
  const hire = said.first('kinds', 'hire')
  const without = said.first('operators', 'without')
  const unitSays = { about: 'kind', by: 'unit', text: unit.symbol } as const
  if (machine && !runsMachine(said, machine, category)) return machineReading(said, { unitSays, category })
  if (machine && people === null) return labourReading(said, { text: machine.text, unitSays })
  if (people && category?.kind !== 'machinery' && category?.kind !== 'hire')
    return labourReading(said, { text: people.text, unitSays })
  if (hire || without) return machineReading(said, { unitSays, category })
  if (category) {
    if (category.kind === 'labour') return labourReading(said, { category, unitSays })
    if (category.kind === 'machinery' || category.kind === 'hire') return machineReading(said, { unitSays, category })
    return reading(category.kind, [{ about: 'kind', value: category.kind, by: 'category', text: category.text }])
  }
  const driver = said.first('operators', 'with')
  if (driver) return labourReading(said, { text: driver.text, unitSays })
  return NOTHING
}

/** Whether the name is that of a person who runs the machine ("Maquinista de excavadora", "Excavator operator"). */
function runsMachine(said: Said, machine: Found, category: CategoryKind | null): boolean {
  if (category?.kind === 'machinery' || category?.kind === 'hire') return false
  if (said.isPerson) return true
  if (category?.kind === 'labour') return true
  const operator = said.first('operators', 'with')
  if (operator === null || operator.isAdded) return false
  return operator.isHead || (operator.at === machine.end + 1 && !said.hasNumber && operator.text === 'operator')
}

function machineReading(
  said: Said,
  { unitSays, category }: { unitSays: UnitSays; category: CategoryKind | null },
): KindReading {
  const machine = said.first('machines')
  const [withOperator, without] = [said.first('operators', 'with'), said.first('operators', 'without')]
  const hire = said.first('kinds', 'hire')
  const operator = without ? 'without' : withOperator ? 'with' : null
  const kind: Kind = operator !== 'with' && (hire || without) ? 'hire' : 'machinery'
  const evidence: KindEvidence[] = [{ ...unitSays, value: kind }]
  for (const found of [hire, machine]) if (found) evidence.push(byWord('kind', kind, found.text))
  if (hire === null && machine === null && category) {
    evidence.push({ about: 'kind', value: kind, by: 'category', text: category.text })
  }
  const runner = without ?? withOperator
  if (operator && runner) evidence.push(byWord('operator', operator, runner.text))
  return { ...reading(kind, evidence), operator, machine: machine?.value ?? null }
}

function labourReading(
  said: Said,
  { text, category, unitSays }: { text?: string; category?: CategoryKind; unitSays?: UnitSays | undefined },
): KindReading {
  const grade = gradeIn(said)
  const trades = tradesIn(said)
  const evidence: KindEvidence[] = []
  if (unitSays) evidence.push({ ...unitSays, value: 'labour' })
  if (text) evidence.push(byWord('kind', 'labour', text))
  if (category) evidence.push({ about: 'kind', value: 'labour', by: 'category', text: category.text })
  if (grade) evidence.push(byWord('grade', grade.value, grade.text))
  for (const trade of trades) evidence.push(byWord('trade', trade.value, trade.text))
  return {
    ...reading('labour', evidence),
    grade: (grade?.value as Grade | undefined) ?? null,
    trades: [...new Set(trades.map(({ value }) => value))].sort(),
  }
}

/** A mark of rank ("medio oficial", "ayudante") says more than a general one ("oficial", "maestro"). */
function gradeIn(said: Said): Found | null {
  const found = said.all('grades')
  return found.find(({ value }) => value !== 'officer' && value !== 'first') ?? found.find(isFirst) ?? found[0] ?? null
}
const isFirst = ({ value }: Found) => value === 'first'

/** The trades of the name, or the one of who runs the machine that it names. */
function tradesIn(said: Said): readonly Found[] {
  const trades = said.all('trades')
  if (trades.length > 0) return trades
  const machine = said.first('machines')
  const operator = said.first('operators', 'with')
  if (machine === null && operator === null) return []
  const value = machine?.value === 'crane' ? 'crane operator' : 'machine operator'
  return operator ? [{ ...operator, value }] : []
}

// By measure or piece ---------------------------------------------------------------------------------------------------

function measuredReading(
  said: Said,
  { sku, unit, category }: { sku: KindTexts; unit: ParsedUnit | null; category: CategoryKind | null },
): KindReading {
  const people = unit === null ? peopleAtHead(said) : null
  if (people) return labourReading(said, { text: people.text })
  if (category?.kind === 'labour' && (said.first('grades') || said.first('trades'))) {
    return labourReading(said, { category })
  }
  const hire = said.first('kinds', 'hire')
  if (hire || category?.kind === 'hire') return machineReadingOf(said, { hire, category })
  const goods = goodsEvidence(said, { sku, unit })
  const action = said.all('actions').find(({ value }) => value !== 'supply') ?? null
  if (category?.kind === 'material') {
    const evidence = { about: 'kind', value: 'material', by: 'category', text: category.text } as const
    return action && action.value === 'supply and install'
      ? workReading(said, { action })
      : reading('material', [evidence])
  }
  if (category?.kind === 'work') return workReading(said, { action, category })
  if (goods?.isCertain) return reading('material', [goods.evidence])
  const noun = unit?.dimension === 'mass' ? said.doneToWeight : said.first('kinds', 'work')
  const material = said.first('kinds', 'material')
  if (action && !(material && material.at < action.at && material.text.includes(' ')))
    return workReading(said, { action })
  if (noun && !(goods && unit?.dimension !== 'volume')) return workReading(said, { noun })
  if (category?.kind === 'machinery') {
    return reading('machinery', [{ about: 'kind', value: 'machinery', by: 'category', text: category.text }])
  }
  if (noun) return workReading(said, { noun })
  const supply = said.first('actions', 'supply')
  if (supply) return { ...reading('material', [byWord('action', 'supply', supply.text)]), action: 'supply' }
  if (goods) return reading('material', [goods.evidence])
  return NOTHING
}

/** A grade and a trade, or a trade or a grade that begins the name. */
function peopleAtHead(said: Said): Found | null {
  const [grade, trade] = [said.first('grades'), said.first('trades')]
  if (grade && trade) return trade
  return [trade, grade].find((found) => found?.isHead) ?? null
}

function machineReadingOf(
  said: Said,
  { hire, category }: { hire: Found | null; category: CategoryKind | null },
): KindReading {
  const operator = said.first('operators')?.value as 'with' | 'without' | undefined
  const evidence: KindEvidence[] = hire
    ? [byWord('kind', 'hire', hire.text)]
    : [{ about: 'kind', value: 'hire', by: 'category', text: category?.text ?? '' }]
  return { ...reading('hire', evidence), operator: operator ?? null }
}

function workReading(
  said: Said,
  { action, noun, category }: { action?: Found | null; noun?: Found; category?: CategoryKind },
): KindReading {
  const evidence: KindEvidence[] = []
  if (category) evidence.push({ about: 'kind', value: 'work', by: 'category', text: category.text })
  if (noun) evidence.push(byWord('kind', 'work', noun.text))
  const done = action ?? said.first('actions')
  if (action && !category) {
    evidence.push({ about: 'kind', value: 'work', by: 'structure', text: action.text })
  }
  if (done) evidence.push(byWord('action', done.value, done.text))
  return { ...reading('work', evidence), action: done?.value ?? null }
}

/**
 * Signs of goods: a number of the trade, contents, a container, a phrase of goods; less certain, a maker's reference. The
 * name of a material says nothing: price banks call the laid pipe "pipe".
 */
function goodsEvidence(
  said: Said,
  { sku, unit }: { sku: KindTexts; unit: ParsedUnit | null },
): { isCertain: boolean; evidence: KindEvidence } | null {
  const says = (by: KindEvidence['by'], text: string, isCertain: boolean) => ({
    isCertain,
    evidence: { about: 'kind' as const, value: 'material', by, text },
  })
  if (sku.gtin !== undefined) return says('structure', `gtin ${sku.gtin}`, true)
  if (sku.pack !== undefined) return says('structure', `pack of ${sku.pack.quantity} ${sku.pack.unit}`, true)
  if (unit?.dimension.startsWith('count:') || unit?.pack) return says('unit', unit.symbol, true)
  const material = said.first('kinds', 'material')
  if (material) return says('word', material.text, true)
  if (sku.manufacturerRef !== undefined) return says('structure', `reference ${sku.manufacturerRef}`, false)
  return null
}

type UnitSays = Pick<KindEvidence, 'about' | 'by' | 'text'>
const byWord = (about: KindEvidence['about'], value: string, text: string): KindEvidence => ({
  about,
  value,
  by: 'word',
  text,
})

function reading(kind: Kind, evidence: readonly KindEvidence[]): KindReading {
  return { kind, grade: null, trades: [], action: null, operator: null, machine: null, isByTime: false, evidence }
}
const NOTHING: KindReading = {
  kind: null,
  grade: null,
  trades: [],
  action: null,
  operator: null,
  machine: null,
  isByTime: false,
  evidence: [],
}
