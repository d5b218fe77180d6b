import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { parse } from 'yaml'
import { z } from 'zod'

/**
 * Saved documents of shops, and the table of what is true of them. A folder holds files `*.yaml`, one for each platform;
 * docs/testing.md describes them.
 */

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
/** A field that the table leaves out is not compared; null means that the record has none. */
const Field = Text.nullable().optional()

const Recorded = z.strictObject({
  sku: Text,
  name: Field,
  /** Minor units of the currency. */
  price: z.int().min(1),
  currency: z.string().length(3),
  /** The price is for so many units; 1 where it is left out. */
  per_quantity: z.int().min(1).default(1),
  /** Compared also where it is left out: null. */
  min_quantity: Text.nullable().default(null),
  unit: Field,
  /** Quantity and unit: "2.5 m²". */
  pack: Field,
  gtin: Field,
  manufacturer_ref: Field,
  /** included or excluded. */
  tax: Field,
  availability: Field,
  /** Levels joined by " > ". */
  category: Field,
  url: Field,
  /** A part of the description. */
  description: Field,
})
export type Recorded = Readonly<z.infer<typeof Recorded>>
/** A record that no price may come from, and why. Without a `sku`, any record with this reason. */
const Parked = z.strictObject({ reason: z.string().regex(/^[A-Z][A-Z0-9_]*$/), sku: Text.optional() })
export type Parked = Readonly<z.infer<typeof Parked>>

const Replacements = z.record(z.string(), z.string())
const Document = z
  .strictObject({
    name: z.string().min(1),
    /** Relative to the folder; with a content below, only its name counts. */
    file: z.string().optional(),
    /** One of these is the content: a text, a value to write as JSON, JSON-LD within a page, or the body of a page. */
    text: z.string().optional(),
    json: z.unknown().optional(),
    jsonld: z.unknown().optional(),
    html: z.string().optional(),
    /** The content of an earlier document of the file, with each text replaced by another. */
    of: z.string().optional(),
    replace: Replacements.optional(),
    /** Contents of the page's head beside JSON-LD. */
    head: z.string().default(''),
    url: z.string().optional(),
    charset: z.string().optional(),
    currency: z.string().optional(),
    expects_offer: z.boolean().default(true),
    mapping: Mapping.optional(),
    recorded: z.array(Recorded).default([]),
    parked: z.array(Parked).default([]),
  })
  .refine((one) => one.replace === undefined || one.of !== undefined, 'replace: expected also of: NAME')

const Platform = z.strictObject({
  platform: z.string().min(1),
  /** Where the shape of the documents is described. */
  origin: z.string().min(1),
  /** What an operator would say of the shop. */
  currency: z.string().length(3).optional(),
  region: z.string().optional(),
  observed_at: z.string().default('2026-11-20T12:00:00Z'),
  mapping: Mapping.optional(),
  documents: z.array(Document).min(1),
})

/** A document as it was saved, and what is true of it. */
export type SavedDocument = Readonly<{
  name: string
  /** Its file name, which may tell the format. */
  file: string
  bytes: Buffer
  url: string | undefined
  charset: string | undefined
  currency: string | undefined
  region: string | undefined
  observedAt: string
  expectsOffer: boolean
  mapping: Mapping | undefined
  recorded: readonly Recorded[]
  parked: readonly Parked[]
}>
export type SavedPlatform = Readonly<{ name: string; origin: string; documents: readonly SavedDocument[] }>

/** A table of truth is not as expected. */
export class BadTruth extends Error {
  override name = 'BadTruth'
}

/** Reads all tables of a folder, in the order of their names. Throws BadTruth. */
export function readTruth(folder: string): SavedPlatform[] {
  const tables = namesIn(folder).filter((name) => /\.ya?ml$/.test(name))
  if (tables.length === 0) throw new BadTruth(`${folder}: expected files *.yaml with tables of truth, found none`)
  return tables.toSorted().map((name) => platformOf(readFileSync(join(folder, name), 'utf8'), { name, folder }))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    throw new BadTruth(`${folder}: expected a folder with tables of truth (*.yaml)`, { cause })
  }
}

type Place = Readonly<{ name: string; folder: string }>

/** The platform of one table. Throws BadTruth. */
export function platformOf(text: string, { name, folder }: Place): SavedPlatform {
  const parsed = Platform.safeParse(yamlOf(text, name))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new BadTruth(`${name}: ${problems.slice(0, 10).join('; ')}`)
  }
  const { platform, origin, documents, ...shop } = parsed.data
  const saved: SavedDocument[] = []
  for (const document of documents) {
    const place = `${name}: ${document.name}`
    if (saved.some((one) => one.name === document.name))
      throw new BadTruth(`${place}: expected another name, each once`)
    const earlier = document.of === undefined ? undefined : saved.find((one) => one.name === document.of)
    if (document.of !== undefined && earlier === undefined) {
      throw new BadTruth(`${place}: of '${document.of}': expected the name of a document above it`)
    }
    const content = earlier === undefined ? contentOf(document, { name: place, folder }) : earlier
    saved.push({
      name: document.name,
      file: document.file ?? content.file,
      bytes: replaced(content.bytes, document.replace ?? {}, place),
      url: document.url ?? earlier?.url,
      charset: document.charset ?? earlier?.charset,
      currency: document.currency ?? shop.currency,
      region: shop.region,
      observedAt: shop.observed_at,
      expectsOffer: document.expects_offer,
      mapping: document.mapping ?? shop.mapping,
      recorded: document.recorded,
      parked: document.parked,
    })
  }
  return { name: platform, origin, documents: saved }
}

function yamlOf(text: string, name: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    throw new BadTruth(`${name}: expected YAML: ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
}

type Content = Readonly<{ file: string; bytes: Buffer }>

function contentOf(document: z.infer<typeof Document>, { name, folder }: Place): Content {
  const { file, text, json, jsonld, html, head } = document
  if (text !== undefined) return { file: file ?? 'document.txt', bytes: Buffer.from(text) }
  if (json !== undefined) return { file: 'answer.json', bytes: Buffer.from(JSON.stringify(json)) }
  if (jsonld !== undefined || html !== undefined || head !== '') {
    const scripts = jsonld === undefined ? '' : `<script type="application/ld+json">${JSON.stringify(jsonld)}</script>`
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}${scripts}</head><body>${html ?? ''}</body></html>`
    return { file: 'page.html', bytes: Buffer.from(page) }
  }
  if (file === undefined) throw new BadTruth(`${name}: expected file, text, json, jsonld, html or of`)
  try {
    return { file, bytes: readFileSync(join(folder, file)) }
  } catch (cause) {
    throw new BadTruth(`${name}: file '${file}': expected a readable file in ${folder}`, { cause })
  }
}

function replaced(bytes: Buffer, replacements: z.infer<typeof Replacements>, place: string): Buffer {
  let text = bytes.toString('latin1')
  for (const [from, to] of Object.entries(replacements)) {
    const [old, fresh] = [from, to].map((part) => Buffer.from(part).toString('latin1')) as [string, string]
    if (!text.includes(old)) throw new BadTruth(`${place}: replace '${from}': expected a text of the document`)
    text = text.replaceAll(old, fresh)
  }
  return Buffer.from(text, 'latin1')
}
