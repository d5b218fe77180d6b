import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'

/** BC3 files of real emitters, by name; none without the folder of real inputs. */
export function bc3Samples(): { name: string; bytes: Buffer }[] {
  const folder = realInputsFolder()
  if (folder === null) return []
  return readdirSync(join(folder, 'bc3'))
    .filter((name) => /\.bc3$/i.test(name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, 'bc3', name)) }))
}
