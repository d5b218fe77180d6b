import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { vectorFiles } from '@catalog/stack/vectors/files.ts'

/** `npm run vectors`: writes the test vectors of the mirror protocol, docs/mirror-vectors/*.json, from the model. */
const FOLDER = resolve(import.meta.dirname, '../../docs/mirror-vectors')
for (const [name, text] of vectorFiles()) writeFileSync(join(FOLDER, name), text)
process.stdout.write(`${vectorFiles().size} files in ${FOLDER}\n`)
