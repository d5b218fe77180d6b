import { sha256Hex } from '@catalog/core/digest.ts'
import type { ModelAnswer } from './origin-documents.ts'

export type Audit = Readonly<{ document: (url: string, answer: ModelAnswer) => void }>

/** I1, I2 and I5 over every served document: readers without checks rely on them. */
export function openAudit(): Audit {
  const archives = new Map<string, string>()
  const dates = new Map<string, { seq: number; updated: string; version: number }[]>()
  return {
    document(url, { body, isImmutable }) {
      if (isImmutable) {
        const [first, now] = [archives.get(url), sha256Hex(body)]
        if (first !== undefined && first !== now) throw new Error(`I5: ${url} changed`)
        archives.set(url, now)
      }
      if (!/atom$|region\/[A-Z]+$/.test(url)) return
      const text = body.toString()
      const of = `${/<ccm:gen>(.*?)</.exec(text)?.[1]} ${/<ccm:scope>(.*?)</.exec(text)?.[1]}`
      const known = dates.get(of) ?? []
      dates.set(of, known)
      for (const { seq, updated, version } of entriesOf(text)) {
        const same = known[seq]
        if (same !== undefined && same.updated !== updated) throw new Error(`I2: ${of} seq ${seq} has two dates`)
        known[seq] = { seq, updated, version }
        const [before, after] = [known[seq - 1], known[seq + 1]]
        if ((before && before.updated >= updated) || (after && after.updated <= updated)) {
          throw new Error(`I2: ${of} seq ${seq}: ${updated} does not rise`)
        }
      }
    },
  }
}

function* entriesOf(text: string): Generator<{ seq: number; updated: string; version: number }> {
  for (const [entry] of text.matchAll(/<entry>.*?<\/entry>|<at:deleted-entry.*?<\/at:deleted-entry>/gs)) {
    const updated = /<updated>(.*?)<|when="(.*?)"/.exec(entry)
    yield {
      seq: Number(/<ccm:seq>(.*?)</.exec(entry)?.[1]),
      updated: (updated?.[1] ?? updated?.[2]) as string,
      version: Number(/<ccm:version>(.*?)</.exec(entry)?.[1] ?? 0),
    }
  }
}
