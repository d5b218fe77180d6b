import { readdirSync, readFileSync } from 'node:fs'
import { openMeanings } from '@catalog/aggregator/matching/join-rule.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { canBeOneProduct, skuPairFeatures } from '@catalog/core/matching/sku-pair.ts'
import { builtinVector } from '@catalog/embed/builtin/builtin.ts'
import { labelledRecords } from './labelled-offers.ts'

/** Files whose words the features and gates of the pair scorer read, and the labels that it learns from. */
const FILES = {
  attributes: { folder: 'libs/core/attributes/', ending: '.yaml' },
  kinds: { folder: 'libs/core/kinds/', ending: '.yaml' },
  units: { folder: 'libs/core/units/', ending: '.yaml' },
  lexicon: { folder: 'libs/embed/lexicon/', ending: '.txt' },
  labels: { folder: 'research/matching/', ending: '.tsv' },
} as const

/**
 * SHA-256 of what the pair scorer is learned from, by name: vocabularies, labels, and under `readings` the gates and features
 * of neighbouring labels, which change when code reads names otherwise. Equal inputs give an equal model.
 */
export function modelInputs(): Readonly<Record<string, string>> {
  const files = Object.entries(FILES).map(([name, { folder, ending }]) => {
    const at = new URL(`../../${folder}`, import.meta.url)
    const found = readdirSync(at).filter((file) => file.endsWith(ending))
    return [
      name,
      sha256Hex(
        found
          .sort()
          .map((file) => `${file}\n${readFileSync(new URL(file, at), 'utf8')}`)
          .join('\n'),
      ),
    ]
  })
  return { ...Object.fromEntries(files), readings: readingsHash() }
}

function readingsHash(): string {
  const skus = labelledRecords().map(({ sku }) => sku)
  const meaningOf = openMeanings(builtinVector)
  const pairs = skus.slice(1).flatMap((b, at) => (at % EVERY === 0 ? [[skus[at] as typeof b, b] as const] : []))
  const lines = pairs.map(([a, b]) => {
    const { names, row } = skuPairFeatures(a, b, { rarity: () => 1, verdict: () => 0, meaning: meaningOf(a, b) })
    const rounded = row.map((value) => Number(value.toFixed(ROUNDED_PLACES)))
    return `${names.length} ${canBeOneProduct(a, b)} ${rounded.join(' ')}`
  })
  return sha256Hex(lines.join('\n'))
}
/** A fifth of the labels shows a change of code, in a second. */
const EVERY = 5
/** The last digits of a logarithm may differ between processors. */
const ROUNDED_PLACES = 4
