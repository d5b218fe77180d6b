import { type AttributesByRole, valueTexts } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize, rolesOf } from '@catalog/core/attributes/attributes-of.ts'
import type { KindReading } from '@catalog/core/kinds/kind-of.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conceptsInOrder, isTerm } from '@catalog/embed/concepts/concepts.ts'
import { inFull } from './abbreviations.ts'
import { writtenOut } from './notation.ts'
import { FILLER, MARKET_NAMES, MARKETS, meaningOf, SMALL_WORDS, shortNamesIn } from './question-words.ts'
import { sizesInFigures, withoutMisleadingUnits } from './size-words.ts'
import { sizesIn, sizeText } from './sizes.ts'
import { respelled } from './spelling.ts'

/** What a query asks for, read before anything is scored. */
export type Question = Readonly<{
  /** As asked. */
  text: string
  /** The thing in plain words, folded: without filler, market and unit, short names written out. Never empty. */
  thing: string
  /** Phrases that say nothing of the thing: "what does", "price of". */
  filler: readonly string[]
  /** The market that the question names, as written and as a region; null where it names none. */
  market: Readonly<{ text: string; region: string }> | null
  /** Short names, brands and regional words, with the plain words that were taken for them. */
  shortNames: readonly Readonly<{ text: string; means: string; isBrand: boolean }>[]
  /** What one price is to buy: "h" of "hour of a mason", "bag" of "sack of cement"; null where it does not say. */
  unit: string | null
  kind: KindReading
  /** The same words as work by the hour: which trades they name. */
  asLabour: KindReading
  /** Concepts of the lexicon, in the order of the words. */
  concepts: readonly string[]
  /** Grades, classes, types, sides and colours. */
  attributes: AttributesByRole
  sizes: readonly Size[]
  /** The contents of a container that it asks for: 25 kg, 15 l; null where it does not say. */
  pack: Size | null
  /** The thing as the trade spells it, where words of the question are mistyped; absent otherwise. */
  spelling?: string
}>

/**
 * Reads a query of any of six languages. `market` is the region that the reader searches: a word may mean another thing
 * in each country. Pure.
 */
export function readQuestion(text: string, market: string | null = null): Question {
  return questions(`${market ?? ''} ${text}`, () => read(text, market))
}
/** The question with mistyped words spelled as the trade spells them; null where no word is mistyped. */
export function respelledQuestion({ text, thing }: Question, market: string | null = null): Question | null {
  const spelled = respelled(thing)
  return spelled === null ? null : { ...readQuestion(spelled, market), text, spelling: spelled }
}

/** Some 2 kB each; the finder and the ranking read the same query. */
const questions = openMemo<Question>(1_000)

/** The text to embed: as asked, where reading took nothing off and wrote nothing out, because a model may know accents. */
export function embeddable({ text, thing }: Pick<Question, 'text' | 'thing'>): string {
  return foldText(text) === thing ? text : thing
}

function read(text: string, market: string | null): Question {
  const folded = squeezed(writtenOut(foldText(text.replace(OUTER_MARKS, ' ')).replace(QUESTION_MARKS, ' ')))
  const filler: string[] = []
  const withoutFiller = folded.replace(FILLER, (phrase: string) => {
    filler.push(phrase)
    return ' '
  })
  // Where only filler is left, it was the thing: "precio", "cost".
  const asked = hasWord(withoutFiller) ? withoutFiller : folded
  const { rest, named } = withoutMarket(asked)
  const place = market ?? named?.region ?? null
  const { rest: counted, unit } = withoutUnit(withoutSmallWords(sizesInFigures(rest, place), place), place)
  const [purpose = ''] = PURPOSE.exec(counted) ?? []
  const { rest: plain, shortNames } = withoutShortNames(counted, {
    place,
    thingLength: counted.length - purpose.length,
  })
  const thing = withoutMisleadingUnits(squeezed(inFull(plain, place)), place)
  // "gfci" of "gfci receptacle" means "gfci receptacle": once is enough.
  const words = thing === '' ? folded : thing.replace(REPEATED, '$1')
  const attributes = withoutBareAngle(rolesOf({ name: words }))
  const sizes = sizesIn(words, attributes)
  return {
    text,
    thing: words,
    filler: asked === folded ? [] : filler,
    market: named,
    shortNames,
    unit,
    kind: kindOf({ name: words, unit: isTime(unit) ? unit : null }),
    asLabour: kindOf({ name: words, unit: 'h' }),
    concepts: [...new Set(conceptsInOrder(words).flatMap((ids) => [...ids]))],
    attributes,
    sizes,
    pack: sizes.find(isPack) ?? null,
  }
}

/** "Copper elbow 22" is one of 22 mm; names write the degree of the rare elbows of 15 and 22. */
function withoutBareAngle(attributes: AttributesByRole): AttributesByRole {
  const isBare = attributes.get('angle')?.every(({ text }) => /^(?:15|22)$/.test(text))
  return isBare ? new Map([...attributes].filter(([role]) => role !== 'angle')) : attributes
}

/** 200 g is a weight of the thing, not of a container. */
function isPack({ dimension, values }: Size): boolean {
  if (values.length !== 1) return false
  return dimension === 'mass' ? (values[0] as number) >= 1 : dimension === 'volume' || dimension.startsWith('count')
}
const isTime = (unit: string | null) => unit !== null && parseUnit(unit)?.dimension === 'time'
const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(withoutSmallWords(text))
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Writes short names, brands and regional words out; leaves out of their meaning the words that the text has anyway. After
 * `thingLength` letters the text says what the thing is for.
 */
function withoutShortNames(
  text: string,
  { place, thingLength }: { place: string | null; thingLength: number },
): { rest: string; shortNames: Question['shortNames'] } {
  const shortNames: { text: string; means: string; isBrand: boolean }[] = []
  const said = new Set<string>()
  const inPlain = (word: string, offset: number) => {
    // A purpose names another thing ("tinta para reboco"). A name may end in its purpose ("cola para cano").
    if (offset >= thingLength) return word
    const [before, after] = [text.slice(0, offset), text.slice(offset + word.length, thingLength)]
    const entry = meaningOf(word, place)
    const isElsewhere =
      entry?.where !== undefined && !isPlace(entry.where, { before, after: text.slice(offset + word.length) })
    if (entry === null || isElsewhere) return word
    if (isPartOfTerm(word, { before, after })) return word
    const written = squeezed(entry.means.replace('{}', word).replace('{#}', digitWords(word)))
    // "block hueco" is one of 15 cm, unless the question says which.
    const means = /\d/.test(word) || !/\d/.test(`${before} ${after}`) ? written : withoutSizes(written)
    if (means === word) return word
    shortNames.push({ text: word, means, isBrand: entry.brand === true })
    const told = new Set(`${before} ${after}`.split(' ').filter((each) => !SMALL_WORDS.has(each)))
    const added = means.split(' ').filter((each) => {
      const isNew = !told.has(each) && !said.has(each)
      if (!SMALL_WORDS.has(each)) said.add(each)
      return isNew
    })
    return hasWord(added.join(' ')) ? added.join(' ') : ''
  }
  let [rest, end] = ['', 0]
  for (const { word, at } of shortNamesIn(text, place)) {
    rest += text.slice(end, at) + inPlain(word, at)
    end = at + word.length
  }
  return { rest: rest + text.slice(end), shortNames }
}

/** Designations keep their numbers: "ca-50", "type 1". */
const withoutSizes = (text: string) => squeezed(text.replace(PLAIN_SIZE, ' '))
const PLAIN_SIZE =
  /(?<!(?:type|tipo|typ|no|cem|clase|classe) )(?<![\p{L}\p{N}-])\d+(?:[.,/x]\d+)*(?: ?(?:mm|cm|m))?(?![\p{L}\p{N}-])/gu

/** The lexicon knows "diferencial de cadena" as another thing than "diferencial". */
function isPartOfTerm(word: string, { before, after }: { before: string; after: string }): boolean {
  // Terms have no digits: beside "6x2" any term would stand.
  if (!word.split(' ').some((each) => /^\p{L}{2,}$/u.test(each))) return false
  const [left = [], right = []] = [before, after].map((text) => text.split(' ').filter(isTelling))
  return [
    [left.slice(-1), right.slice(0, 1)],
    [left.slice(-1), []],
    [left.slice(-2), []],
    [[], right.slice(0, 1)],
    [[], right.slice(0, 2)],
  ].some(
    ([a = [], b = []]) =>
      a.length + b.length > 0 && /\p{L}{3}/u.test([...a, ...b].join(' ')) && isTerm([...a, word, ...b].join(' ')),
  )
}
const isTelling = (word: string) => word !== '' && !SMALL_WORDS.has(word)
const digitWords = (text: string) => (text.match(/\S*\d\S*/g) ?? []).join(' ')

/** Sizes and colours beside a word do not make it another thing. */
function isPlace(where: 'alone' | 'first', { before, after }: { before: string; after: string }): boolean {
  const isFirst = !hasWord(before)
  if (where === 'first' || !isFirst) return isFirst
  const others = after.replace(MEASURED, ' ').split(' ')
  return others.every((other) => SMALL_WORDS.has(other) || !/\p{L}/u.test(other))
}
/** Numbers with their units, and colours. */
const MEASURED =
  /(?<![\p{L}\p{N}])(?:[#ø]?\d\S*(?: (?:mm2?|cm|m[23]?|kg|g|l|in|pulg|plg|gal|a|w|v|hp|cv)(?![\p{L}\p{N}]))?|blanc[oa]|branc[oa]|negr[oa]|pret[oa]|roj[oa]|vermelh[oa]|azul|verde|amarill[oa]|amarel[oa]|gris|cinza)(?![\p{L}\p{N}])/gu

function withoutMarket(text: string): { rest: string; named: Question['market'] } {
  let named: Question['market'] = null
  const rest = text.replace(MARKET_NAMES, (phrase: string, name: string) => {
    named ??= { text: name, region: MARKETS.get(name) as string }
    return named.text === name ? ' ' : phrase
  })
  return hasWord(rest) ? { rest, named } : { rest: text, named: null }
}

const WOOL: ReadonlySet<string> = new Set(['de', 'mineral'])

const beginsWithName = (text: string, place: string | null) => shortNamesIn(text, place).next().value?.at === 0

function withoutSmallWords(text: string, place?: string | null): string {
  const words = squeezed(text).split(' ')
  // Folded, Portuguese wool is "la".
  const isWool = words[0] === 'la' && WOOL.has(words[1] as string)
  // "of. 1a" is a grade of labour.
  const isSmall = (word: string) =>
    SMALL_WORDS.has(word) && (place === undefined || !beginsWithName(words.join(' '), place))
  while (words.length > 1 && !isWool && isSmall(words[0] as string)) words.shift()
  // "15 l" keeps its unit, and "type l" its letter.
  const isMeant = (before: string) => /\d/.test(before) || DESIGNATED.has(before)
  while (words.length > 1 && SMALL_WORDS.has(words.at(-1) as string) && !isMeant(words.at(-2) as string)) words.pop()
  return words.join(' ')
}

const DESIGNATED: ReadonlySet<string> = new Set(['type', 'tipo', 'typ', 'class', 'clase', 'classe', 'serie', 'grade'])

/**
 * Takes the unit off a question: "bag of cement", "m2 de alicatado", "m2 para levantar", "mason per hour", "25 kg sack zement".
 * A shape that may be the thing itself stays: "placa de yeso", "barra de acero".
 */
function withoutUnit(text: string, place: string | null): { rest: string; unit: string | null } {
  // "caixa d'água" is a tank.
  const isThing = beginsWithName(text, place)
  for (const written of isThing ? [UNIT_AFTER, TIME] : [UNIT_BEFORE, UNIT_AFTER, TIME]) {
    const found = written.exec(text)
    const word = found?.groups?.unit
    if (!found || word === undefined) continue
    const unit = UNIT_WORDS[word] ?? word
    const rest = withoutSmallWords(text.replace(found[0], ' '))
    // "Cubo de obra" is a bucket.
    if (written === UNIT_BEFORE && isTerm(`${word} ${rest.split(' ')[0]}`)) continue
    if (isMeasureOrContainer(unit) && hasWord(rest)) return { rest, unit }
  }
  return (isThing ? null : containerOf(text)) ?? { rest: text, unit: null }
}
const UNIT_BEFORE =
  /^(?<unit>\p{L}+[23²³]?) (?:de|of|di|d|von|(?<=^m[23²³] )(?:para|pour|to|zum|per)) (?:(?:un|una|uma|a|an|the|el|la) )?(?=\p{L})/u
const UNIT_AFTER =
  /(?<=\S )(?:(?:por|per|al|pro|par|je|\/) ?(?:la |el |un |una |a )?(?<unit>\p{L}+[23²³]?)|(?<!\d )(?<unit>m[23]|metro lineal|metros lineales|ml))$/u
/** A word of time is never the thing. */
const TIME =
  /(?<![\p{L}\p{N}])(?:(?:por|per|a|al|la|una|an|pro|par|je|the|de|l) ){0,2}(?<unit>hora|hour|hr|heure|stunde|ora|hourly|horas|hours|daily|dia|diaria|tag|jour|giorno|giornata)(?: (?:de|d|di|of) (?:un |una |une |a |an )?)?(?![\p{L}\p{N}])/u

function isMeasureOrContainer(unit: string): boolean {
  const dimension = parseUnit(unit)?.dimension ?? (CONTAINERS.has(unit) ? 'count:bucket' : undefined)
  return (
    dimension !== undefined && dimension !== 'count' && (!dimension.startsWith('count:') || HOLDING.test(dimension))
  )
}
/** What holds something else, unlike a sheet, a bar or a tube. */
const HOLDING = /^count:(?:bag|big bag|box|pack|sachet|bucket|can|drum|cartridge|bottle|load|pallet)$/

/** "25 kg sack zement", "cubo pintura 15 l": beside contents a word for a container is not the thing. */
function containerOf(text: string): { rest: string; unit: string } | null {
  if (!sizesOf(text).some(({ dimension }) => dimension === 'mass' || dimension === 'volume')) return null
  const words = text.split(' ')
  const unit = words.find((word) => CONTAINERS.has(word) || HOLDING.test(parseUnit(word)?.dimension ?? ''))
  const rest = withoutSmallWords(words.filter((word) => word !== unit).join(' '))
  return unit !== undefined && /\p{L}{3}/u.test(rest) ? { rest, unit } : null
}
/** Words that also name a thing, so the tables of units leave them open. */
const CONTAINERS: ReadonlySet<string> = new Set(['cubo', 'pot', 'seau', 'secchio', 'garrafa', 'cunete'])

/** Words that the tables of units leave open, and what a question means by them. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  hourly: 'hour',
  hours: 'hour',
  horas: 'hora',
  daily: 'day',
  diaria: 'dia',
  giornata: 'dia',
  giorno: 'dia',
  jour: 'day',
  tag: 'day',
  ora: 'hour',
  ton: 't',
  tonne: 't',
  tonelada: 't',
}
/** What the thing is for: its words are not the thing. */
const PURPOSE = /(?<=\S) (?:for|para|pour|fur|per) (?!m[23²³]?$).+$/u
const REPEATED = /(?<![\p{L}\p{N}])(\p{L}{3,}) \1(?![\p{L}\p{N}])/gu
/** A mark after a digit means inches, unless another one stands before the whole. */
const OUTER_MARKS = /^\s*"|(?<=^\s*".*)"(?=\s*$)|(?:[¿?¡!“”«»]|(?<!\d)")+(?=\s|$)|(?<=^|\s)[¿?¡!“”«»]+/gu
const QUESTION_MARKS = /[?!]+/g

/** What was understood, for people: only what the question says. */
export type Interpretation = Readonly<{
  thing: string
  spelling?: string
  filler?: readonly string[]
  market?: string
  unit?: string
  kind?: string
  short_names?: Readonly<Record<string, string>>
  brands?: readonly string[]
  concepts?: readonly string[]
  attributes?: Readonly<Record<string, readonly string[]>>
  sizes?: readonly string[]
  pack?: string
}>

export function interpretationOf(question: Question): Interpretation {
  const { thing, spelling, filler, market, unit, kind, shortNames, concepts, attributes, sizes, pack } = question
  const told = [...attributes].filter(([role]) => !isPlainSize(role))
  const brands = shortNames.flatMap(({ text, isBrand }) => (isBrand ? [text] : []))
  return {
    thing,
    ...(spelling !== undefined && { spelling }),
    ...(filler.length > 0 && { filler }),
    ...(market && { market: market.region }),
    ...(unit !== null && { unit }),
    ...(kind.kind !== null && { kind: kind.kind }),
    ...(shortNames.length > 0 && {
      short_names: Object.fromEntries(shortNames.map(({ text, means }) => [text, means])),
    }),
    ...(brands.length > 0 && { brands }),
    ...(concepts.length > 0 && { concepts }),
    ...(told.length > 0 && {
      attributes: Object.fromEntries(told.map(([role, values]) => [role, valueTexts(values)])),
    }),
    ...(sizes.length > 0 && { sizes: sizes.map(sizeText) }),
    ...(pack !== null && { pack: sizeText(pack) }),
  }
}
