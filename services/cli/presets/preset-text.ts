import type { Licence } from '@catalog/core/events/sources.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { valuesOf } from '@catalog/crawler/presets/preset-source.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'

/** A preset for people: what it is, on which terms, and what it asks for. */
export function presetLines(
  preset: Pick<Preset, 'id' | 'title' | 'publisher' | 'website' | 'about' | 'parameters' | 'licence' | 'file'>,
): string[] {
  const { id, title, publisher, website, about, parameters, file } = preset
  return [
    `${id}: ${title}`,
    `${publisher}, ${website}`,
    '',
    about.trim(),
    '',
    ...licenceLines(preset.licence),
    ...Object.entries(parameters).flatMap(([name, parameter]) => [
      '',
      `--param ${name}=…: ${parameter.about}${parameter.default === undefined ? '' : ` (default ${parameter.default})`}`,
      `  ${valuesOf(preset, name).join(', ')}`,
    ]),
    ...(file === undefined ? [] : ['', `--file PATH: ${file.obtain.trim()}`]),
  ]
}

/** A preset with the values of its parameters, before its list is read: what it is, and on which terms. */
export function chosenLines({ id, title, publisher, website }: Preset, { licence }: SourceSpec): string[] {
  return [`${id}: ${title}`, `${publisher}, ${website}`, ...(licence === undefined ? [] : licenceLines(licence))]
}

/** What a crawl of a preset did. A held one has recorded nothing yet. */
export function crawledText({ outcome, read, appended }: Pick<CrawlReport, 'outcome' | 'read' | 'appended'>): string {
  const fate = outcome === 'held' ? 'wait for your decision' : 'recorded'
  return `${outcome}, ${read} records read, ${appended} ${fate}`
}

/** On which terms the publisher gives its prices away, and what nobody knows of them. */
export function licenceLines(licence: Licence): string[] {
  const { name, terms, url, redistribution, commercial_use, attribution, checked_on } = licence
  const rights = `passing the prices on: ${rightText(redistribution)}; commercial use: ${rightText(commercial_use)}`
  return [
    `licence: ${name ?? 'none named'}${url === null ? '' : `, ${url}`} (read on ${checked_on})`,
    ...(terms === null ? [] : [`  ${terms}`]),
    `  ${rights}`,
    ...(attribution === null ? [] : [`  name beside the prices: ${attribution}`]),
    ...(redistribution === 'yes'
      ? []
      : ['  Before you publish these prices, or let others mirror them, make sure that you may.']),
  ]
}

const rightText = (right: string) => (right === 'unknown' ? 'not stated' : right)
