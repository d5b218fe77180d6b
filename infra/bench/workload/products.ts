import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { observation } from '@catalog/stack/testing/events.ts'

/**
 * Price lists for the matcher: products of one family differ by brand, two sizes and a series. All data follows from
 * numbers. Product n is one product in every list.
 */

const FAMILIES = [
  ['Placa de yeso laminado', 'Plasterboard', 'Placa de gesso laminado', 'm2'],
  ['Panel de lana de roca', 'Rock wool slab', 'Painel de lã de rocha', 'm2'],
  ['Panel de poliestireno extruido', 'Extruded polystyrene board', 'Placa de poliestireno extrudido', 'm2'],
  ['Baldosa de gres porcelánico', 'Porcelain stoneware tile', 'Ladrilho de grés porcelânico', 'm2'],
  [
    'Lámina impermeabilizante bituminosa',
    'Bituminous waterproofing membrane',
    'Membrana betuminosa impermeabilizante',
    'm2',
  ],
  ['Tubo de PVC para evacuación', 'PVC drain pipe', 'Tubo de PVC para esgoto', 'm'],
  ['Tubo de cobre', 'Copper pipe', 'Tubo em cobre', 'm'],
  ['Cable de cobre flexible', 'Flexible copper cable', 'Cabo flexível de cobre', 'm'],
  ['Perfil de acero galvanizado', 'Galvanised steel profile', 'Perfil de aço galvanizado', 'm'],
  ['Canalón de zinc', 'Zinc gutter', 'Caleira de zinco', 'm'],
  ['Ladrillo cerámico perforado', 'Perforated clay brick', 'Tijolo cerâmico perfurado', 'u'],
  ['Bloque de hormigón', 'Concrete block', 'Bloco de betão', 'u'],
  ['Puerta cortafuegos', 'Fire door', 'Porta corta-fogo', 'u'],
  ['Ventana de aluminio', 'Aluminium window', 'Janela de alumínio', 'u'],
  ['Radiador de panel', 'Panel radiator', 'Radiador de painel', 'u'],
  ['Interruptor automático', 'Circuit breaker', 'Disjuntor automático', 'u'],
  ['Luminaria empotrable', 'Recessed luminaire', 'Luminária de encastrar', 'u'],
  ['Arqueta prefabricada', 'Precast inspection chamber', 'Caixa de visita pré-fabricada', 'u'],
  ['Mortero de cemento', 'Cement mortar', 'Argamassa de cimento', 'kg'],
  ['Pintura plástica', 'Emulsion paint', 'Tinta plástica', 'l'],
] as const
const BRANDS = ['Alba', 'Brisa', 'Cota', 'Duero', 'Ebro', 'Faro', 'Gredos', 'Huelva', 'Isla', 'Jara'] as const
const LENGTHS = 25
const WIDTHS = 20

/** Vendors of each group. */
const VENDORS = 20
/** Before the first cut. */
const OBSERVED_AT = '2026-01-05T06:00:00Z'

type Country = 'ES' | 'GB' | 'PT'

/** Product n as a vendor of one country offers it, with a price of its own. Each `group` has other vendors. */
export function offerOf(product: number, country: Country, group = 0): ObservationRecorded {
  const name = `${{ ES: 'Almacén', GB: 'Merchant', PT: 'Armazém' }[country]} ${group}.${product % VENDORS}`
  const [spanish, english, portuguese, unit] = FAMILIES[product % FAMILIES.length] as (typeof FAMILIES)[number]
  const variant = Math.floor(product / FAMILIES.length)
  const brand = BRANDS[variant % BRANDS.length] as string
  const length = 100 + 50 * (Math.floor(variant / BRANDS.length) % LENGTHS)
  const width = 10 + 5 * (Math.floor(variant / (BRANDS.length * LENGTHS)) % WIDTHS)
  const series = Math.floor(variant / (BRANDS.length * LENGTHS * WIDTHS))
  return observation({
    vendor: name,
    region: country,
    ref: `R${product}`,
    name: {
      ES: `${spanish} ${brand} ${length}x${width} mm serie ${series}`,
      GB: `${brand} ${english} ${length} x ${width} mm, series ${series}`,
      PT: `${portuguese} ${length} x ${width} mm ${brand} série ${series}`,
    }[country],
    unit,
    cents: 500 + ((product * 7919) % 50_000),
    currency: country === 'GB' ? 'GBP' : 'EUR',
    at: OBSERVED_AT,
    recordedAt: OBSERVED_AT,
    crawl: `crawl-${country}-${group}-${product % VENDORS}`,
    more: { lang: ({ ES: 'es', GB: 'en', PT: 'pt' } as const)[country] },
  })
}
