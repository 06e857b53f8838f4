import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory that is removed when the test ends. */
export async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'service-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}
