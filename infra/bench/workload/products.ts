import { observationId, observationPayload, sourceIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'

/**
 * Price lists for the matcher: products of one family differ by brand, two sizes and a series. All data follows from
 * numbers. Product n is one product in every list.
 */

const FAMILIES = [
  ['Placa de yeso laminado', 'Plasterboard', 'm2'],
  ['Panel de lana de roca', 'Rock wool slab', 'm2'],
  ['Panel de poliestireno extruido', 'Extruded polystyrene board', 'm2'],
  ['Baldosa de gres porcelánico', 'Porcelain stoneware tile', 'm2'],
  ['Lámina impermeabilizante bituminosa', 'Bituminous waterproofing membrane', 'm2'],
  ['Tubo de PVC para evacuación', 'PVC drain pipe', 'm'],
  ['Tubo de cobre', 'Copper pipe', 'm'],
  ['Cable de cobre flexible', 'Flexible copper cable', 'm'],
  ['Perfil de acero galvanizado', 'Galvanised steel profile', 'm'],
  ['Canalón de zinc', 'Zinc gutter', 'm'],
  ['Ladrillo cerámico perforado', 'Perforated clay brick', 'u'],
  ['Bloque de hormigón', 'Concrete block', 'u'],
  ['Puerta cortafuegos', 'Fire door', 'u'],
  ['Ventana de aluminio', 'Aluminium window', 'u'],
  ['Radiador de panel', 'Panel radiator', 'u'],
  ['Interruptor automático', 'Circuit breaker', 'u'],
  ['Luminaria empotrable', 'Recessed luminaire', 'u'],
  ['Arqueta prefabricada', 'Precast inspection chamber', 'u'],
  ['Mortero de cemento', 'Cement mortar', 'kg'],
  ['Pintura plástica', 'Emulsion paint', 'l'],
] as const
const BRANDS = ['Alba', 'Brisa', 'Cota', 'Duero', 'Ebro', 'Faro', 'Gredos', 'Huelva', 'Isla', 'Jara'] as const
const LENGTHS = 25
const WIDTHS = 20

/** Vendors of each group. */
const VENDORS = 20
/** Before the first cut. */
const OBSERVED_AT = '2026-01-05T06:00:00Z'

/** Product n as a vendor of one country offers it, with a price of its own. Each `group` has other vendors. */
export function offerOf(product: number, country: 'ES' | 'GB', group = 0): ObservationRecorded {
  const name = `${country === 'ES' ? 'Almacén' : 'Merchant'} ${group}.${product % VENDORS}`
  const [spanish, english, unit] = FAMILIES[product % FAMILIES.length] as (typeof FAMILIES)[number]
  const variant = Math.floor(product / FAMILIES.length)
  const brand = BRANDS[variant % BRANDS.length] as string
  const length = 100 + 50 * (Math.floor(variant / BRANDS.length) % LENGTHS)
  const width = 10 + 5 * (Math.floor(variant / (BRANDS.length * LENGTHS)) % WIDTHS)
  const series = Math.floor(variant / (BRANDS.length * LENGTHS * WIDTHS))
  const content = {
    source: { id: sourceIdOf({ name, region: country }), name, region: country, url: null },
    vendor_ref: `R${product}`,
    name:
      country === 'ES'
        ? `${spanish} ${brand} ${length}x${width} mm serie ${series}`
        : `${brand} ${english} ${length} x ${width} mm, series ${series}`,
    unit,
    lang: country === 'ES' ? ('es' as const) : ('en' as const),
    price: {
      cents: 500 + ((product * 7919) % 50_000),
      currency: country === 'ES' ? 'EUR' : 'GBP',
      per_quantity: 1,
      tax: { included: false },
      kind: 'list' as const,
    },
    observed_at: OBSERVED_AT,
  }
  return {
    type: 'ObservationRecorded',
    v: 1,
    ...content,
    event_id: observationId(observationPayload(content)),
    recorded_at: OBSERVED_AT,
    crawl_id: `crawl-${country}-${group}-${product % VENDORS}`,
  }
}
