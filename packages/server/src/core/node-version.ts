// This module is imported first and imports nothing: on an older Node the native database would crash with a
// segmentation fault instead of a message.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

export function requireNode(): void {
  if (major > 22 || (major === 22 && minor >= 14)) return
  throw new Error(
    `@service/server needs Node 22.14 or later; this is Node ${process.versions.node}. Install a newer one, from https://nodejs.org or with your version manager.`,
  )
}
