import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { billOfMaterials } from './dependency-tree.ts'
import { packTree, writePackageTree } from './package-tree.ts'

/**
 * `npm run pack [FOLDER]`: what a release publishes, in dist/ or the folder: the package, its bill of materials, its entry for the
 * registry of MCP servers, and the SHA-256 of each.
 */
const NAME = 'construction-cost-catalog'
const folder = resolve(process.argv[2] ?? 'dist')
const tree = join(folder, 'package')
mkdirSync(folder, { recursive: true })
const { version, files, dependencies, registration } = writePackageTree(tree)
const tarball = packTree(tree, folder)
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const bom = billOfMaterials(tree, NAME)
rmSync(tree, { recursive: true })
writeFileSync(join(folder, `${NAME}-${version}.cdx.json`), json(bom))
writeFileSync(join(folder, 'server.json'), json(registration))
const names = [basename(tarball.path), `${NAME}-${version}.cdx.json`, 'server.json']
const sums = names.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}`,
)
writeFileSync(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`)
process.stdout.write(
  `${tarball.path}: ${files.length} files, ${tarball.bytes} bytes, ${Object.keys(dependencies).length} dependencies, ` +
    `${bom.components.length} components\n`,
)
