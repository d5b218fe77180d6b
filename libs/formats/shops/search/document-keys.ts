import { readDataFile } from '@catalog/core/data-file.ts'

type Kind = 'finals' | 'sales' | 'own' | 'flags_on' | 'references' | 'names' | 'currencies'
type VariantKind = 'variant_lists' | 'shared' | 'option_lists' | 'options'

/** What a document of a shop calls its fields. */
export const DOCUMENT_KEYS = readDataFile(import.meta.url, 'document-keys.yaml') as Readonly<
  Record<Kind | VariantKind, readonly string[]>
>
