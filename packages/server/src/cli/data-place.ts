import type { Command } from 'commander'
import { type Config, environmentName, readConfig } from '../core/config.ts'
import { readEnvironment } from './environment.ts'

/** Flags of commands that work on a database itself, beside a server or without one. */
export interface PlaceFlags {
  readonly data?: string
  readonly databaseUrl?: string
}

export const withPlace = (command: Command): Command =>
  command
    .option('--data <directory>', 'the data directory (or SERVICE_DATA; default ./.data)')
    .option('--database-url <url>', 'a postgres:// URL, in place of SQLite (or SERVICE_DATABASE_URL)')

/** The settings, as a start with the same environment has them. */
export const readPlace = ({ data, databaseUrl }: PlaceFlags): Config =>
  readConfig(
    readEnvironment(process.env, { ...(data && { data }), ...(databaseUrl && { databaseUrl }) }).options,
    environmentName,
  )
