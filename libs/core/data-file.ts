import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

/** The content of a YAML file beside a module, which gives its own address as `module`. */
export const readDataFile = (module: string, name: string): unknown => load(readFileSync(new URL(name, module), 'utf8'))
