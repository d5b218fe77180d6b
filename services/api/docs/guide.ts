import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, type Limits } from '@catalog/api/callers/rate-limits.ts'

/** The licence of the prices as the operator states it; null: not stated. */
export type DataLicence = Readonly<{ name: string; url: string | null }>

export type GuideFacts = Readonly<{
  /** Absolute, without a trailing slash. */
  origin: string
  limits: Limits
  dataLicence: DataLicence | null
}>

/** The address of the examples in docs/api.md: `npm start` prints it. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:8080'

/** docs/api.md from its first example to the table of statuses. The rest is for readers of the repository. */
const [, GUIDE = ''] =
  /^(## Quick start$.*)^## Statuses$/ms.exec(readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')) ??
  []

/** The introduction for developers as Markdown: docs/api.md with the address, limits and licence of this server. */
export function guide({ origin, limits, dataLicence }: GuideFacts): string {
  return GUIDE.replaceAll(RELATIVE_LINK, '$1')
    .replace(limitsTable(LIMITS), () => limitsTable(limits))
    .replace(licenceText(null), () => licenceText(dataLicence))
    .replaceAll(EXAMPLE_ORIGIN, () => origin)
}

/** Files and headings of the repository have no address on the served page. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g

/** The table of docs/api.md that states the limits of each kind of caller. */
export function limitsTable(limits: Limits): string {
  const row = (caller: string, perMinute: number, perMonth: string) =>
    `| ${caller} | ${thousands(perMinute)} | ${thousands(limits.searchPerMinute)} | ${perMonth} |`
  return [
    '| caller | requests a minute | searches a minute | requests a month |',
    '|---|---|---|---|',
    row('without a key, per IPv4 address or IPv6 /64', limits.anonPerMinute, '-'),
    row('free developer key (`svc_pub_`)', limits.publicDevPerMinute, thousands(limits.publicDevPerMonth)),
    row('workspace plan (`svc_org_`)', limits.orgPerMinute, thousands(limits.orgPerMonth)),
  ].join('\n')
}

const thousands = (count: number) => count.toLocaleString('en-US')

/** One sentence about the licence of the data. */
export function licenceText(dataLicence: DataLicence | null): string {
  if (dataLicence === null)
    return 'The operator of this catalog has stated no licence for its data: ask before you republish it.'
  const { name, url } = dataLicence
  return `The data of this catalog is under ${url === null ? name : `[${name}](${url})`}.`
}
