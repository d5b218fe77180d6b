import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'

/**
 * Sizes as people say them, in figures: "half inch" is 1/2 in, "media pulgada" too, "two by four" is 2x4. In the United States
 * faces come in inches ("24x24"), and "r13" is R-13. Takes a folded text. Pure.
 */
export function sizesInFigures(folded: string, market: string | null): string {
  const said = folded
    .replace(
      INCHES,
      (_, complete: string, amount: string) => `${INCH_AMOUNTS.get((complete ?? amount).replaceAll('-', ' '))} in`,
    )
    .replace(ENDING, (_, thing: string, amount: string) => `${thing.trimEnd()} ${INCH_AMOUNTS.get(amount)} in`)
    .replace(BY, (_, a: string, b: string) => `${TIMBER_INCHES[a]}x${TIMBER_INCHES[b]}`)
  return market === 'US' ? said.replace(FACE, '$& in').replace(THERMAL, 'r-$1') : said
}

/**
 * Numbers alone where their unit misleads: "cable 2.5 mm" says 2.5 mm², and "6 mil" in the United States thousandths of an
 * inch, not thousands. A bare number fits any unit. A steel rope, a tray and a tie are measured in mm. The number of a
 * reinforcing bar is its diameter in mm, where bars are not numbered by eighths of an inch: "tondino 12". Pure.
 */
export function withoutMisleadingUnits(thing: string, market: string | null): string {
  const bare = CABLE.test(thing) && !NO_CABLE.test(thing) ? thing.replace(SECTION_MM, '$1') : thing
  return market === 'US' ? bare.replace(MIL, '$1') : NUMBERED_BARS.has(market) ? bare : bare.replace(BAR, '$1 mm')
}

const CABLE =
  /(?<![\p{L}\p{N}])(?:cables?|cabos?|wires?|hilos?|fils?|kabel|fios?|cavo|cavi|filo|fili|conductor(?:es)?|condutor(?:es)?|cordon|leitung|h07[a-z]?|h05[a-z]?|ny[my])(?![\p{L}\p{N}])/u
const NO_CABLE =
  /(?<![\p{L}\p{N}])(?:acero|aco|acier|acciaio|stahl\p{L}*|steel|inox\p{L}*|galvani[sz]\p{L}*|trays?|bandejas?|ties?|bridas?|mesh|rope|tensor\p{L}*|gu[ai]as?|canal\p{L}*|tubos?|duct|conduit|clips?|glands?|alambre|ligar|atar|amarre)(?![\p{L}\p{N}])/u
/** The sections of IEC 60228. */
const SECTION_MM =
  /(?<![\p{L}\p{N}.,/x-])(0[.,]5|0[.,]75|1|1[.,]5|2[.,]5|4|6|10|16|25|35|50|70|95|120) ?mm(?![\p{L}\p{N}²])/gu

/** Markets where bar 4 measures 4/8 in. */
const NUMBERED_BARS: ReadonlySet<string | null> = new Set(['US', 'MX', 'CO', 'PE', null])
const BAR =
  /(?<=(?<![\p{L}\p{N}])(?:rebars?|tondin[oi]|corrugad[oa]s?|vergalhao|vergalhoes|redondos?|ferros?|fierros?|hierros?|fers?|bewehrungsstahl|betonstahl|armatura|acier a beton(?: barre)?|aderenza migliorata)(?:(?! (?:angul|plat|plan|chat|cuadr|quadr|u |i )).){0,24}? )(6|8|10|12|14|16|20|25|28|32|40)(?![\p{L}\p{N}.,/x*"-]| ?(?:mm|cm|m|x|kg|t|in|pulg|de|l)(?![\p{L}\p{N}]))/gu

const INCH_AMOUNTS: ReadonlyMap<string, string> = new Map(
  Object.entries(
    z.record(z.string(), z.array(z.string())).parse(readDataFile(import.meta.url, 'inch-words.yaml')),
  ).flatMap(([figure, words]) => words.map((word) => [word, figure] as const)),
)
/** Words of whole numbers with their figures: "dos" is 2. */
export const WHOLE_NUMBERS: ReadonlyMap<string, string> = new Map(
  [...INCH_AMOUNTS].filter(([word, figure]) => /^\d+$/.test(figure) && !word.includes(' ')),
)
const AMOUNTS = [...INCH_AMOUNTS.keys()].sort((a, b) => b.length - a.length)
const anyOf = (amounts: readonly string[]) => amounts.join('|').replaceAll(' ', '[ -]')
/** With the inch inside, as "pulgada y media". */
const COMPLETE = anyOf(AMOUNTS.filter((amount) => /(?:inch|pulgada|polegada)/.test(amount)))
const AMOUNT = anyOf(AMOUNTS.filter((amount) => !/(?:inch|pulgada|polegada)/.test(amount)))
const INCHES = new RegExp(
  `(?<![\\p{L}\\p{N}/])(?:(?:una |an |one )?(${COMPLETE})|(${AMOUNT})[ -](?:of an |de |di )?(?:inch(?:es)?|pulgadas?|polegadas?|pouces?|pollic[ei]|zoll))(?![\\p{L}\\p{N}])`,
  'gu',
)
/** "varilla de media", "tubo de tres cuartos": the inch goes without saying. */
const ENDING =
  /(?<![\p{L}\p{N}])((?:varillas?|fierros?|cabillas?|tub(?:o|os|eria)|caneria|codos?|valvulas?|llaves?|mangueras?|cano|vergalhao|joelho|registro) .{0,40}?) ?(?:de|of) (media|meia|tres cuartos|tres quartos|tres octavos|cinco octavos)$/gu
const TIMBER_INCHES: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  six: 6,
  eight: 8,
  ten: 10,
  twelve: 12,
}
const BY = /(?<![\p{L}\p{N}])(one|two|three|four|six) by (two|three|four|six|eight|ten|twelve)(?![\p{L}\p{N}])/gu
/** Two numbers from 8 on are a face; timber ("2x12"), tubes ("4x4") and beams ("W 8x10") are not. */
const FACE =
  /(?<![\p{L}\p{N}.,/x#-]|(?<![\p{L}])\p{L} )(?:[89]|[1-9]\d) ?x ?(?:[89]|[1-9]\d)(?![\p{L}\p{N}.,/-]| ?(?:x|in|inch|inches|ft|mm|cm|m)(?![\p{L}\p{N}])|["'])/gu
/** Values of ASTM C665; R32 is a refrigerant. */
const THERMAL = /(?<![\p{L}\p{N}-])r ?(11|13|15|19|21|30|38|49)(?![\p{L}\p{N}])/gu
const MIL = /(?<![\p{L}\p{N}.,/-])(\d{1,2}) ?mils?(?![\p{L}\p{N}])/gu
