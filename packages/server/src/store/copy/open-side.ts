import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerClock } from '../../core/clock.ts'
import { readConfig } from '../../core/config.ts'
import { quietLog } from '../../core/log.ts'
import { lockDirectory } from '../directory-lock.ts'
import { schemaStatus } from '../migrate.ts'
import { openStore } from '../open.ts'
import { databaseFileName } from '../open-directory.ts'
import { OpenError } from '../open-error.ts'
import type { CopiedDatabase } from './copied-database.ts'
import { postgresSide } from './postgres-side.ts'
import { sqliteSide } from './sqlite-side.ts'

/** A data directory or a URL as the settings name it. */
export const configOf = (place: string) => readConfig(isUrl(place) ? { databaseUrl: place } : { data: place })

const isUrl = (place: string) => /^postgres(ql)?:\/\//.test(place)

/** Opens a data directory or the database of a URL for a copy; the target gets the newest schema first. */
export async function openSide(place: string, role: 'from' | 'to', clock: ServerClock): Promise<CopiedDatabase> {
  if (role === 'from' && !isUrl(place) && !existsSync(join(place, databaseFileName)))
    throw new OpenError(`There is no database in ${place}.`)
  await prepare(place, role, clock)
  if (isUrl(place)) return postgresSide(place)
  const lock = lockDirectory(place)
  if (lock === undefined) throw new OpenError(`The data directory ${place} is in use. Stop the platform first.`)
  const side = sqliteSide(join(place, databaseFileName))
  return {
    ...side,
    async close() {
      await side.close()
      lock.release()
    },
  }
}

async function prepare(place: string, role: 'from' | 'to', clock: ServerClock): Promise<void> {
  const store = await openStore(configOf(place), { clock, log: quietLog(), migrates: role === 'to' })
  try {
    const { pending } = await schemaStatus(store)
    if (pending.length > 0)
      throw new OpenError(`${role}: ${pending.length} migrations are pending. Run service-server migrate first.`)
  } finally {
    await store.close()
  }
}
