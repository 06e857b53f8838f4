import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory that only its owner may read, and those above it. Returns whether it was missing. Node's own
 * recursion never ends where a directory exists but refuses new ones as missing, such as `/proc`.
 */
export function createPrivateDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (fault) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
    const isParentMissing = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'
    if (!isParentMissing || existsSync(dirname(path))) throw fault
  }
  createPrivateDirectory(dirname(path))
  return createPrivateDirectory(path)
}
