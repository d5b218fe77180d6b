import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

type Kind = 'finals' | 'sales' | 'own' | 'references' | 'names' | 'currencies'
type VariantKind = 'variant_lists' | 'shared' | 'option_lists' | 'options'

/** What a document of a shop calls its fields. */
export const DOCUMENT_KEYS = load(readFileSync(new URL('document-keys.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<Kind | VariantKind, readonly string[]>
>
