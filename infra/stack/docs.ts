import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFERENCES, withList } from '@catalog/stack/tidy/references.ts'
import { ROOT } from '@catalog/stack/tidy/tree.ts'

/** `npx node infra/stack/docs.ts`: writes the lists of commands and of environment variables from the code into their documents. */
for (const path of Object.keys(REFERENCES)) writeFileSync(join(ROOT, path), withList(path))
process.stdout.write(`${Object.keys(REFERENCES).join(', ')}\n`)
