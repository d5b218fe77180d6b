/**
 * A folded question in the notation of names: abbreviations written out ("p/", "c/", "50k", "9 mts"), sizes apart from what
 * they stick to ("W150x18"), and one spelling for each standard ("ABNT NBR 7480:2007" is "nbr-7480"). Pure.
 */
export function writtenOut(folded: string): string {
  return spelledStandards(folded)
    .replace(PARA, 'para ')
    .replace(WITH, 'con ')
    .replace(WITHOUT, 'sin ')
    .replace(GAUGE, 'calibre ')
    .replace(KILOS, '$1 kg')
    .replace(UNITS, (_, number: string, unit: string, power = '') => `${number} ${UNIT_SPELLINGS[unit]}${power}`)
    .replace(GERMAN_SIZE, '$1')
    .replace(THREAD, '$1 m$2')
    .replace(OPENING, '$1x$2 m')
    .replace(GERMAN_TIMBER, '$1$20x$30 mm')
    .replace(ELISION, '$1 ')
    .replace(SECTION, '$1 $2')
}

/**
 * Standards as one word without "norma", publisher and year: "en-520" of "UNE-EN 520:2005", "nmx-c-414" of
 * "NMX-C-414-ONNCCE", "astm-a-615" of "ASTM A615". Short names are spelled so too.
 */
export function spelledStandards(folded: string): string {
  return folded.replace(STANDARD, (written, body = '', letter = '', number = '') => {
    const bodies = body.replace(/[ -]+/g, '-').replace(NATIONAL, '')
    if (WORDS.has(bodies) && number.replace(/\D.*/, '').length < WORD_DIGITS_MIN) return written
    return [bodies, letter, number].filter((part) => part !== '').join('-')
  })
}
const STANDARD =
  /(?<![\p{L}\p{N}])(?:normas? (?:tecnica )?)?(?:abnt[ -]*)?((?:une|nf|din|bs|uni|np|nbr|nmx|nom|iram|ntc|ntp|nch|unit|astm|en|iso)(?:[ -]+(?:en|iso|iec|nm|ias))*)(?:[ -]+([a-z]))?(?:[ -]*n[o°]\.?)?[ -]*(\d{2,6}(?:\.\d{3})?(?:-(?!(?:19|20)\d\d(?!\d))\d{1,3})?)(?:[:/.-]?(?:of\.? ?)?(?:19|20)\d{2}|-[a-z]{4,8}(?:-\d{4})?)?(?![\p{L}\p{N}]|[.,/]\d| ?(?:mm|cm|m|kg|l)(?![\p{L}\p{N}]))/gu
/** "UNE-EN" and "NP EN" publish the same standard. */
const NATIONAL = /^(?:une|nf|din|bs|uni|np)-(?=en)/
/** Also words: "placa en 13". */
const WORDS: ReadonlySet<string> = new Set(['en', 'iso', 'nom', 'unit', 'bs', 'np', 'uni'])
const WORD_DIGITS_MIN = 3

/** "arena p/ mortero", and "massa p alisar"; "p/board" is plasterboard. */
const PARA = /(?<=^|\s)p\/\s*(?=\p{L})(?!boards?(?!\p{L}))|(?<=\p{L}{3} )p (?=\p{L}{4})/gu
/** "puerta c/marco", but "c/u" is each. */
const WITH = /(?<=^|\s)c\/\s*(?=\p{L}{2})/gu
const WITHOUT = /(?<=^|\s)s\/\s*(?=\p{L}{2})/gu
/** "lamina cal. 26"; "cal" alone is lime. */
const GAUGE = /(?<=\p{L} )cal(?:\. ?| )(?=\d{1,2}(?!\d| ?kg|k))/gu
/** "cemento 50k", but 3000K is a colour of light and 12k BTU a power. */
const KILOS = /(?<![\p{L}\p{N}.,/])(\d{1,2}(?:[.,]\d)?)k(?![\p{L}\p{N}]| ?btu)/gu
/** "9 mts", "4 lts". */
const UNITS =
  /(?<![\p{L}\p{N}])(\d+(?:[.,/]\d+)?) ?(mts?|lts|lt|ltrs?|cms|mtrs?|kilos?|kls)\.?([23]?)(?![\p{L}\p{N}])/gu
const UNIT_SPELLINGS: Readonly<Record<string, string>> = {
  mt: 'm',
  mts: 'm',
  mtr: 'm',
  mtrs: 'm',
  cms: 'cm',
  lt: 'l',
  lts: 'l',
  ltr: 'l',
  ltrs: 'l',
  kilo: 'kg',
  kilos: 'kg',
  kls: 'kg',
}
/** "22er" is 22 of whatever the thing is measured in. */
const GERMAN_SIZE = /(?<![\p{L}\p{N}])(\d{1,4})er(?![\p{L}\p{N}])/gu
/** "janela 1,20x1,50": openings in decimals are in metres. */
const OPENING =
  /(?<=(?<!\p{L})(?:janelas?|ventanas?|windows?|portas?|puertas?|portao|fenetres?|finestr[ae]|fenster|portes?|doors?|tur|persianas?)(?!\p{L}).{0,40}? )([0-3][.,]\d{1,2}) ?x ?([0-3][.,]\d{1,2})(?![\p{L}\p{N}.,]| ?(?:x|mm|cm|m|in|ft)(?!\p{L}))/gu
/** Sections of German beams are written in cm: "KVH NSi 8/20" is 80x200 mm. Battens ("Dachlatte 30/50") are in mm. */
const GERMAN_TIMBER =
  /(?<!\p{L})((?:kvh|bsh|duobalken|kantholz|kantholzer|balken|sparren|pfette|brettschichtholz)(?: (?!\d)\S+){0,3} )([4-9]|1\d|2[0-4])[/x](\d|[1-3]\d|40)(?![\p{L}\p{N}.,/x]| ?mm)/gu
/** "varilla roscada de 12" is M12. */
const THREAD =
  /(?<!\p{L})((?:(?:varilla|barra) roscada|vergalhao roscado|esparrago roscado|gewindestange|tige filetee|barra filettata|threaded rod)(?: \p{L}{4,})?)(?: (?:de|del|von|da|di))? (\d{1,2})(?![\p{L}\p{N}.,/"]| ?(?:[mck]?m\b|x|pulg|in\b))/gu
/** "W150x18" is a W of 150 x 18, but "M10x50" a thread. */
const SECTION = /(?<![\p{L}\p{N}])(?!m\d)(\p{L}{1,3})(\d+(?:[.,]\d+)?(?:x\d+(?:[.,]\d+)?)+)(?![\p{L}\p{N}])/gu
/** "d'un" and "l'heure" are two words. */
const ELISION = /(?<![\p{L}\p{N}])([dl])'(?=\p{L})/gu
