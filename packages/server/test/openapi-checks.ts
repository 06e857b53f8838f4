import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Route, successStatus } from '@service/contract'
import type { RouteDocs } from '@service/contract/route-docs'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { checkAnswer } from './checking-fetch.ts'
import { freshDirectory } from './fresh-directory.ts'

/** Empties free-form objects, which have no schema. */
const withoutFreeForm = (body: unknown) =>
  JSON.parse(JSON.stringify(body, (key, value) => (['payload_example', 'sample', 'punch'].includes(key) ? {} : value)))

/** Fails unless the schemas of a route accept its examples. */
export async function checkExamples(
  route: Route,
  { bodies = {}, responses = {}, errors = {} }: Partial<RouteDocs> = {},
): Promise<void> {
  for (const body of Object.values(bodies)) {
    expect(z.safeParse(route.body ?? z.never(), body)).toMatchObject({ success: true })
  }
  const examples = [[String(successStatus(route)), responses] as const, ...Object.entries(errors)]
  for (const [status, exampleBodies] of examples) {
    for (const body of Object.values(exampleBodies)) {
      await checkAnswer(route, Response.json(withoutFreeForm(body), { status: Number(status) }))
    }
  }
}

/** Lints the document with the recommended rules, without a configuration file and without the network. */
export async function lintOpenApi(document: string): Promise<{ totals: unknown; problems: unknown }> {
  const directory = await freshDirectory()
  await writeFile(join(directory, 'openapi.json'), document)
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(manifest, '../bin/cli.js'), 'lint', '--extends=recommended', '--format=json', 'openapi.json'],
    {
      cwd: directory,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((fault: { stdout: string }) => fault) // with findings it exits with 1
  const { totals, problems } = JSON.parse(stdout)
  return { totals, problems }
}
