import { OpenError } from './open-error.ts'

/** The first that empties one column of a reference (`on delete set null (column)`), as keys with the workspace need. */
const oldestVersion = 15

/** Refuses a server that is too old, by its `server_version_num`: 140011 is 14.11. */
export function requirePostgresVersion(versionNumber: number, where: string): void {
  const major = Math.floor(versionNumber / 10_000)
  if (major >= oldestVersion) return
  throw new OpenError(
    `PostgreSQL at ${where} is version ${major}.${versionNumber % 10_000}, and the platform needs ${oldestVersion} or later. Upgrade it, or name another in the database URL.`,
  )
}
