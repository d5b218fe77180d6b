import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeUpName } from './state-price-list.ts'

const LISTS = 10
const UNITS = ['u', 'm', 'm2', 'kg', 'h', 'l', 'm3']

/** Writes ten vendors' price lists of so many rows together, each product in half of the lists; returns their paths. */
export function writeVendorLists(folder: string, rows: number): string[] {
  const ofList = rows / LISTS
  return Array.from({ length: LISTS }, (_, list) => {
    const lines = Array.from({ length: ofList }, (_, row) => {
      const product = (row * 7 + list * 4_000) % (2 * ofList)
      const price = ((100 + ((product * 7_919) % 70_000) + list * 13) / 100).toFixed(2).replace('.', ',')
      const name = `${madeUpName(product)};${UNITS[product % UNITS.length]};${price};EUR`
      return `V${list}-${product};${name};Grupo ${product % 60};https://vendor${list}.example/p/${product}\n`
    })
    const path = join(folder, `Vendor ${list}.csv`)
    writeFileSync(path, `ref;name;unit;price;currency;category_path;url\n${lines.join('')}`)
    return path
  })
}
