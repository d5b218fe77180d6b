import { spawnSync } from 'node:child_process'

/** Opens $VISUAL or $EDITOR, which may have arguments. */
export function openEditor(path: string): void {
  const command = process.env.VISUAL ?? process.env.EDITOR
  if (command === undefined || command.trim() === '')
    throw new Error('no editor: expected $EDITOR, or --set key=value such as --set observed_at=2026-02-28')
  const [program, ...given] = command.trim().split(/\s+/) as [string, ...string[]]
  const { status, error } = spawnSync(program, [...given, path], { stdio: 'inherit' })
  if (error !== undefined) throw new Error(`editor '${command}': ${error.message}`)
  if (status !== 0) throw new Error(`editor '${command}' ended with ${status}, expected 0`)
}
