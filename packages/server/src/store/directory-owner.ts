import { lchownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives what root has created to the owner of its directory, so that the user who runs the platform can use it. */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  try {
    lchownSync(path, uid, gid)
  } catch {
    // Some containers and network drives do not allow this. The error of a later reader names the owner.
  }
}
