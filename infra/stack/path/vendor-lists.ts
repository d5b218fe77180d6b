import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Price lists of ten vendors, each with every second product and in wording of its own. Products of one family differ by
 * brand, two sizes and a series. All data follows from numbers.
 */

const FAMILIES = [
  ['Placa de yeso laminado', 'm2'],
  ['Panel de lana de roca', 'm2'],
  ['Panel de poliestireno extruido', 'm2'],
  ['Baldosa de gres porcelánico', 'm2'],
  ['Lámina impermeabilizante bituminosa', 'm2'],
  ['Tubo de PVC para evacuación', 'm'],
  ['Tubo de cobre', 'm'],
  ['Cable de cobre flexible', 'm'],
  ['Perfil de acero galvanizado', 'm'],
  ['Canalón de zinc', 'm'],
  ['Ladrillo cerámico perforado', 'u'],
  ['Bloque de hormigón', 'u'],
  ['Puerta cortafuegos', 'u'],
  ['Ventana de aluminio', 'u'],
  ['Radiador de panel', 'u'],
  ['Interruptor automático', 'u'],
  ['Luminaria empotrable', 'u'],
  ['Arqueta prefabricada', 'u'],
  ['Mortero de cemento', 'kg'],
  ['Pintura plástica', 'l'],
] as const
const BRANDS = ['Alba', 'Brisa', 'Cota', 'Duero', 'Ebro', 'Faro', 'Gredos', 'Huelva', 'Isla', 'Jara'] as const
const LENGTHS = 25
const WIDTHS = 20

const VENDORS = 10
/** Vendors with one product. */
export const VENDORS_PER_PRODUCT = 5

/** Of the rows of a later night, one in so many has another price, and one in so many is new. */
const CHANGED_SHARE = 20
const NEW_SHARE = 100

/** One CSV for each vendor, as of a night from 0; returns their paths. The vendor's reference ends in the product's number. */
export function writePriceLists(folder: string, { products, night }: { products: number; night: number }): string[] {
  const known = products + Math.round((night * products) / NEW_SHARE)
  return Array.from({ length: VENDORS }, (_, vendor) => {
    const path = join(folder, `vendor-${vendor}-night-${night}.csv`)
    writeFileSync(path, 'vendor,ref,name,unit,price\n')
    for (let from = 0; from < known; from += ROWS_AT_ONCE) {
      const sold = Array.from({ length: Math.min(ROWS_AT_ONCE, known - from) }, (_, i) => from + i).filter(
        (product) => (product * 7 + vendor * 3) % VENDORS < VENDORS_PER_PRODUCT,
      )
      appendFileSync(path, sold.map((product) => rowOf(product, { vendor, night })).join(''))
    }
    return path
  })
}
const ROWS_AT_ONCE = 10_000

function rowOf(product: number, { vendor, night }: { vendor: number; night: number }): string {
  const [family, unit] = FAMILIES[product % FAMILIES.length] as (typeof FAMILIES)[number]
  const variant = Math.floor(product / FAMILIES.length)
  const brand = BRANDS[variant % BRANDS.length] as string
  const long = 100 + 50 * (Math.floor(variant / BRANDS.length) % LENGTHS)
  const wide = 10 + 5 * (Math.floor(variant / (BRANDS.length * LENGTHS)) % WIDTHS)
  const series = Math.floor(variant / (BRANDS.length * LENGTHS * WIDTHS))
  const name = [
    `${family} ${brand} ${long}x${wide} mm serie ${series}`,
    `${family} ${brand} ${long} X ${wide} MM SERIE ${series}`.toUpperCase(),
    `${brand} ${family} ${long} x ${wide} mm, serie ${series}`,
    `${family}, serie ${series}, ${brand}, ${long / 10} x ${wide / 10} cm`,
    `${family} marca ${brand} de ${long}×${wide} mm (serie ${series})`,
  ][vendor % VENDORS_PER_PRODUCT]
  const isChanged = night > 0 && (product * 13 + vendor) % CHANGED_SHARE === 0
  const cents = Math.round((500 + ((product * 7919) % 50_000)) * (1 + vendor / 100) * (isChanged ? 1.05 : 1))
  return `Vendor ${vendor},${vendor}-${product},"${name}",${unit},${(cents / 100).toFixed(2)}\n`
}
