import { fold } from '@catalog/core/events/events.ts'

/** Everything of an observation, its source and its price that a column or a constant can give. */
export const MAPPING_KEYS = [
  'vendor_ref',
  'name',
  'description',
  'unit',
  'price',
  'currency',
  'per_quantity',
  'min_quantity',
  'pack_quantity',
  'pack_unit',
  'tax_included',
  'tax_rate',
  'kind',
  'observed_at',
  'source',
  'source_id',
  'source_url',
  'region',
  'trust',
  'validity_days',
  'category_path',
  'gtin',
  'manufacturer_ref',
  'cpv',
  'url',
  'lang',
] as const
export type MappingKey = (typeof MAPPING_KEYS)[number]

/** Without these three there is no observation. */
const REQUIRED_KEYS = ['vendor_ref', 'name', 'price'] as const

/** One column, several whose texts are joined, or one whose text holds a path with this separator. */
export type Columns = string | readonly string[] | Readonly<{ column: string; separator: string }>

/** Which columns and constants a mapping gives. */
export type Given = Readonly<{
  columns?: Readonly<Partial<Record<MappingKey, Columns | undefined>>> | undefined
  constants?: Readonly<Partial<Record<MappingKey, string | undefined>>> | undefined
}>

/** Columns and constants as they apply to one file, and which of its keys were guessed from headings. */
export type ResolvedMapping = Readonly<{
  columns: Readonly<Partial<Record<MappingKey, Columns>>>
  constants: Readonly<Partial<Record<MappingKey, string>>>
  guessed: readonly MappingKey[]
}>

/** The column names that a key reads. */
export function columnsOf(columns: Columns): readonly string[] {
  return typeof columns === 'string' ? [columns] : 'column' in columns ? [columns.column] : columns
}

/**
 * The mapping of a file with these headings. Columns that are given are matched by their exact heading, else by the one
 * that differs only in case, accents or blanks. Without any given columns the well-known headings are looked for.
 * `missing` names the columns that the file lacks, and required keys that nothing gives.
 */
export function resolveMapping(
  mapping: Given,
  headings: readonly string[],
): { resolved: ResolvedMapping; missing: readonly string[] } {
  const constants = definedOf(mapping.constants ?? {})
  const given = definedOf(mapping.columns ?? {})
  const missing: string[] = []
  const columns: Partial<Record<MappingKey, Columns>> = {}
  let guessed: MappingKey[] = []
  if (Object.keys(given).length > 0) {
    const folded = new Map(headings.map((heading) => [fold(heading), heading]))
    const exact = new Set(headings)
    const find = (key: string, column: string): string => {
      const found = exact.has(column) ? column : folded.get(fold(column))
      if (found === undefined) missing.push(`${key}: no column '${column}'`)
      return found ?? column
    }
    for (const [key, spec] of Object.entries(given) as [MappingKey, Columns][]) {
      if (typeof spec === 'string') columns[key] = find(key, spec)
      else if ('column' in spec) columns[key] = { ...spec, column: find(key, spec.column) }
      else columns[key] = spec.map((column) => find(key, column))
    }
  } else {
    const guess = guessColumns(headings)
    for (const key of MAPPING_KEYS)
      if (guess.columns[key] !== undefined && constants[key] === undefined) columns[key] = guess.columns[key]
    guessed = Object.keys(columns) as MappingKey[]
    if (guess.currency !== null && columns.currency === undefined && constants.currency === undefined) {
      constants.currency = guess.currency
      guessed.push('currency')
    }
  }
  for (const key of REQUIRED_KEYS) {
    if (columns[key] === undefined && constants[key] === undefined)
      missing.push(`${key}: no column or constant gives it`)
  }
  return { resolved: { columns, constants, guessed }, missing }
}

function definedOf<T>(record: Partial<Record<MappingKey, T | undefined>>): Partial<Record<MappingKey, T>> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Record<MappingKey, T>>
}

/**
 * Columns by well-known headings in Spanish, English, Portuguese, French, German and Italian: for each key the heading
 * that stands first in its list. A heading gives one key only. A currency written into the price's heading
 * ("PVP (EUR)", "Price €") is told as well.
 */
export function guessColumns(headings: readonly string[]): {
  columns: Partial<Record<MappingKey, string>>
  currency: string | null
} {
  const plain = headings.map((heading) => ({
    heading,
    words: wordsOf(heading),
    bare: wordsOf(withoutCurrency(heading)),
  }))
  const columns: Partial<Record<MappingKey, string>> = {}
  const used = new Set<string>()
  const hasQuantities = plain.some(({ words }) => QUANTITIES.has(words))
  for (const key of MAPPING_KEYS) {
    const known = [key.replaceAll('_', ' '), ...HEADINGS[key]]
    for (const words of known) {
      if (hasQuantities && TOTALS.has(words)) continue
      const found = plain.find(
        (column) => !used.has(column.heading) && (column.words === words || column.bare === words),
      )
      if (found === undefined) continue
      columns[key] = found.heading
      used.add(found.heading)
      break
    }
  }
  // A file that describes its goods and does not name them: the description is the name.
  if (columns.name === undefined && columns.description !== undefined) {
    columns.name = columns.description
    delete columns.description
  }
  // "Ref.; Artículo; Precio": heads codes as often, so only where the code has a column and nothing else is a name.
  const goods = plain.find(({ heading, words }) => !used.has(heading) && GOODS.has(words))
  if (columns.name === undefined && goods !== undefined) columns.name = goods.heading
  return { columns, currency: columns.price === undefined ? null : currencyIn(columns.price) }
}

/** Beside quantities of a bill these head what so many cost together. */
const TOTALS: ReadonlySet<string> = new Set(['importe', 'amount', 'valor'])
const QUANTITIES: ReadonlySet<string> = new Set([
  'cantidad',
  'cant',
  'medicion',
  'quantity',
  'qty',
  'quantidade',
  'qtd',
  'quantite',
  'qte',
  'menge',
  'quantita',
])

const GOODS: ReadonlySet<string> = new Set(['articulo', 'article', 'artigo', 'articolo'])

const CURRENCY_WORD = /€|£|\b(EUR|USD|GBP|BRL|MXN|CLP|COP|PEN|ARS|UYU|CHF|ESP)\b/i

function currencyIn(heading: string): string | null {
  const found = CURRENCY_WORD.exec(heading)?.[0]
  if (found === undefined) return null
  return found === '€' ? 'EUR' : found === '£' ? 'GBP' : found.toUpperCase()
}

function withoutCurrency(heading: string): string {
  return heading.replace(new RegExp(CURRENCY_WORD.source, 'gi'), ' ')
}

/** "Cód. artículo (EAN)" → "cod articulo ean" */
function wordsOf(heading: string): string {
  return fold(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Headings as {@link wordsOf} writes them, the more telling ones first. */
const HEADINGS: Readonly<Record<MappingKey, readonly string[]>> = {
  vendor_ref: [
    'sku',
    'vendor sku',
    'codigo',
    'cod',
    'codigo articulo',
    'cod articulo',
    'codigo de articulo',
    'codigo producto',
    'codigo do produto',
    'codigo do artigo',
    'referencia',
    'ref',
    'reference',
    'article code',
    'item code',
    'product code',
    'item number',
    'item no',
    'article number',
    'product id',
    'artikelnummer',
    'artikel nr',
    'art nr',
    'artnr',
    'art no',
    'bestellnummer',
    'code article',
    'ref article',
    'reference article',
    'codice',
    'codice articolo',
    'cod art',
    'code',
    'articulo',
    'article',
    'part number',
    'resource code',
    'codigo insumo',
    'id',
  ],
  name: [
    'nombre',
    'product name',
    'item name',
    'nombre producto',
    'producto',
    'product',
    'title',
    'titulo',
    'nome',
    'nome do produto',
    'produto',
    'denominacion',
    'designation',
    'designacao',
    'bezeichnung',
    'artikelbezeichnung',
    'produktname',
    'artikel',
    'libelle',
    'nom',
    'nom du produit',
    'produit',
    'denominazione',
    'prodotto',
    'concepto',
    'resumen',
    'material',
    'insumo',
    'item',
  ],
  description: [
    'descripcion',
    'descripcion larga',
    'long description',
    'descricao',
    'beschreibung',
    'langtext',
    'kurztext',
    'descrizione',
    'texto',
    'details',
    'detalle',
  ],
  unit: [
    'unidad',
    'unidad de medida',
    'unidad medida',
    'ud',
    'uds',
    'um',
    'u m',
    'uom',
    'unit of measure',
    'units',
    'unite',
    'unite de mesure',
    'einheit',
    'mengeneinheit',
    'me',
    'unita',
    'unita di misura',
    'unidade',
    'unidade de medida',
    'un',
    'und',
  ],
  price: [
    'precio',
    'pvp',
    'precio unitario',
    'precio neto',
    'precio venta',
    'tarifa',
    'unit price',
    'list price',
    'net price',
    'price median',
    'precio de venta',
    'preco',
    'preco unitario',
    'preco de venda',
    'valor unitario',
    'prix',
    'prix unitaire',
    'prix ht',
    'preis',
    'einzelpreis',
    'listenpreis',
    'nettopreis',
    'prezzo',
    'prezzo unitario',
    'prezzo di listino',
    'importe',
    'coste',
    'costo',
    'costo unitario',
    'cost',
    'unit cost',
    'valor',
    'rate',
    'amount',
    // Objects of shops' APIs: "prices.price" of WooCommerce, "price.value" of SAP Commerce.
    'prices price',
    'price value',
    'p v p',
    'precio pvp',
    'precio tarifa',
  ],
  currency: [
    'moneda',
    'divisa',
    'moeda',
    'devise',
    'monnaie',
    'wahrung',
    'waehrung',
    'valuta',
    'currency code',
    'prices currency code',
    'price currencyiso',
    'price currency',
  ],
  per_quantity: [
    'price per',
    'cantidad base',
    'base quantity',
    'price quantity',
    'preiseinheit',
    'pe',
    'unidad precio',
    // One that is not known makes the price of a hundred the price of one.
    'unidad de precio',
    'precio por',
    'cantidad precio',
    'base precio',
    'unidade de preco',
    'preco por',
    'price basis',
    'price base',
    'preis pro',
    'preis je',
    'preisbasis',
    'preismenge',
    'prix pour',
    'base de prix',
    'unita prezzo',
  ],
  min_quantity: [
    'moq',
    'cantidad minima',
    'minimum quantity',
    'min qty',
    'quantidade minima',
    'quantite minimale',
    'mindestmenge',
  ],
  pack_quantity: ['pack qty', 'pack size', 'contenido', 'cantidad envase', 'verpackungsmenge', 'contenance'],
  pack_unit: ['unidad contenido', 'unidad envase', 'verpackungseinheit'],
  tax_included: ['iva incluido', 'vat included', 'tva incluse', 'iva inclusa'],
  tax_rate: ['iva', 'tipo iva', 'vat', 'vat rate', 'tva', 'taux tva', 'mwst', 'mwst satz', 'aliquota iva'],
  kind: ['price kind', 'tipo de precio'],
  observed_at: [
    'fecha',
    'fecha precio',
    'fecha de precio',
    'date',
    'price date',
    'fecha actualizacion',
    'last updated',
    'updated at',
    'data',
    'data preco',
    'date prix',
    'datum',
    'preisdatum',
    'stand',
    'data prezzo',
    'observed',
    'timestamp',
  ],
  source: [
    'proveedor',
    'vendor',
    'supplier',
    'fornecedor',
    'fournisseur',
    'lieferant',
    'fornitore',
    'tienda',
    'store',
    'shop',
  ],
  source_id: [],
  source_url: [],
  region: ['pais', 'country', 'country code', 'pays', 'land', 'paese', 'mercado', 'market'],
  trust: ['trust score'],
  validity_days: [],
  category_path: [
    'categoria',
    'category',
    'familia',
    'categorie',
    'kategorie',
    'warengruppe',
    'famille',
    'famiglia',
    'capitulo',
    'chapter',
    'grupo',
    'group',
  ],
  gtin: [
    'ean',
    'ean13',
    'ean 13',
    'ean code',
    'codigo ean',
    'codigo de barras',
    'barcode',
    'code barre',
    'upc',
    'codice a barre',
  ],
  manufacturer_ref: [
    'mpn',
    'referencia fabricante',
    'ref fabricante',
    'ref fabricant',
    'reference fabricant',
    'manufacturer part number',
    'manufacturer code',
    'herstellernummer',
    'hersteller nr',
    'codice produttore',
    'ref fabricacao',
  ],
  cpv: ['cpv code', 'codigo cpv', 'code cpv', 'cpv code 2008'],
  url: ['link', 'enlace', 'lien', 'product url', 'web'],
  lang: ['language', 'idioma', 'sprache', 'langue', 'lingua'],
}
