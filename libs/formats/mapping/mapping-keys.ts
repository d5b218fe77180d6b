/** Fields of an observation, its source and its price that a column or a constant can give. */
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

/** Keys without which a record is no observation. */
export const REQUIRED_KEYS = ['vendor_ref', 'name', 'price'] as const
