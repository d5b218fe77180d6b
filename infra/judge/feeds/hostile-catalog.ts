import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import type { RunMarked } from '@catalog/core/events/runs.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { instant } from '@catalog/core/time.ts'
import { event, published } from '@catalog/stack/testing/events.ts'

/**
 * Events of a catalog that stresses feeds: names that break markup; items without a price, with one vendor, merged,
 * gone and back; items that leave a region, change twice in a run or every night, so that pages contain marks; enough
 * changes for closed pages; and regions without items.
 */
export function hostileEvents(): (ItemPublished | RunMarked)[] {
  const events: (ItemPublished | RunMarked)[] = []
  const versions = new Map<number, number>()
  let night = 0
  const change = (n: number, say: Partial<Parameters<typeof published>[0]> = {}) => {
    const version = (versions.get(n) ?? 0) + 1
    versions.set(n, version)
    const fields = { name: nameOf(n), regions: regionsOf(n), cents: 100 + n + version, asOf: nightOf(night), version }
    const { event_id: _e, recorded_at: _r, ...content } = published({ id: hostileItemId(n), ...fields, ...say })
    const { state } = content
    const item = {
      ...state.item,
      vendor_count: 1 + (n % 7),
      unit: n % 5 === 0 ? null : (UNITS[n % UNITS.length] ?? null),
      category_id: HOSTILE_CATEGORY_ID,
    }
    events.push(event({ ...content, category_path: CATEGORY_PATH, state: { ...state, item } }))
  }
  const mark = () => {
    const run_id = `run_${night}`
    events.push(event({ type: 'RunMarked', run_id, as_of: nightOf(night), items_published: versions.size }))
    night += 1
  }
  const all = Array.from({ length: ITEMS }, (_, n) => n)

  for (const n of all) change(n, n % 11 === 0 ? { cents: null } : {})
  mark()
  for (const n of all) {
    if (n % 20 === 3) change(n, { state: 'merged', mergedInto: hostileItemId(n + 2) })
    else if (n % 20 === 7) change(n, { state: 'gone' })
    else if (n % 20 === 9) change(n, { regions: ['MX'] })
    else if (n % 3 === 0) change(n, { cents: n % 2 === 0 ? null : 99, currency: 'CLP' })
  }
  mark()
  for (const n of all) if (n % 20 === 7) change(n)
  for (const n of all) if (n % 10 === 4) change(n)
  // A second change in the same run supersedes the first, as when a new run follows a resumed one.
  for (const n of all) if (n % 10 === 4) change(n, n % 20 === 4 ? { state: 'gone' } : { cents: 7 })
  mark()
  for (let i = 0; i < QUIET_NIGHTS; i++) {
    for (const n of all.slice(0, CHANGES_OF_A_QUIET_NIGHT)) change(n)
    mark()
  }
  change(NIGHTLESS)
  return events
}

/** With all changes, more than two closed pages, and more than one in the region ES. */
const ITEMS = 700
const QUIET_NIGHTS = 12
const CHANGES_OF_A_QUIET_NIGHT = 3
/** Changes after the last mark. */
const NIGHTLESS = 1

const CATEGORY_PATH = ['Bricks <b> & "blocks"']
export const HOSTILE_CATEGORY_ID = categoryIdOf(CATEGORY_PATH)

const hostileItemId = (n: number) =>
  `ci_${'h'.repeat(20)}${String(n)
    .padStart(6, '0')
    .replace(/[0189]/g, letterOf)}`
const letterOf = (digit: string) => 'abcdefghij'[Number(digit)] as string
const nightOf = (night: number) => instant(new Date(Date.UTC(2026, 8, 1 + night, 2)))
/** Items whose price changes every night, was lost, or never was; one that was merged, and one that came back. */
export const HOSTILE_ITEMS: readonly string[] = [0, 6, 11, 3, 27].map(hostileItemId)

/** LATAM and UY stay empty. */
function regionsOf(n: number): string[] {
  const rare = REGIONS.filter((region) => !['ES', 'MX', 'LATAM', 'UY'].includes(region))
  return [n % 9 === 0 ? 'US' : 'ES', ...(n % 4 === 0 ? [rare[(n / 4) % rare.length] as string] : [])]
    .filter((region, i, regions) => regions.indexOf(region) === i)
    .sort()
}

const UNITS = ['25 kg', 'm²', '<u>', 'm & m', '"']
const nameOf = (n: number) => HOSTILE_NAMES[n % HOSTILE_NAMES.length]?.replaceAll('N°', `no. ${n}`) as string

/** Names that a vendor may publish; names that XML cannot carry are refused before the log. */
export const HOSTILE_NAMES: readonly string[] = [
  'Steel <B500S> & "bars" N°',
  'Concrete ]]> HA-25 N°',
  'Cement <![CDATA[CEM II]]> N°',
  '</title></entry></feed><script>alert(1)</script> N°',
  '&amp; &lt;b&gt; &#169; &nbsp; already escaped N°',
  `It's 1/2" 'quoted' \\ "C:\\temp" \\u0000 \\n N°`,
  '🧱🏗️👷🏽‍♀️ brick 𝟚𝟜×𝟙𝟙 N°',
  'بلاط سيراميك ٣٠×٣٠ N°',
  'אריחי קרמיקה \u202e30x30\u202c N°',
  'Tab\there, line\nthere, return\rthere, \u0085 and \u2028 N°',
  '  blanks   before, between and after N°  ',
  'e\u0301 combined, \u200bzero width\ufeff, \ufffd replaced, \u0080\u009f controls N°',
  '<!-- comment --> <?xml version="1.0"?> <!DOCTYPE x [<!ENTITY e "f">]> &e; N°',
  "'; drop table items; -- %s %00 $(x) {{x}} N°",
  '0',
  '한국어 タイル 瓷砖 плитка πλακάκι N°',
  `Very long ${'ceramic tile, '.repeat(140)}N°`,
]
