#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { requireNode } from '../core/node-version.ts'
import { reportWriteFault } from './output.ts'

// A closed pipe (`| head`, a crashed log collector) or a full disk must not stop a server. Commands fail if a disk does
// not take their output.
process.stdout.on('error', reportWriteFault)
process.stderr.on('error', () => undefined)

// The program is loaded after the version check, because older versions of Node cannot even link it.
try {
  requireNode()
  // Caches compiled code for the next start.
  nodeModule.enableCompileCache()
  const { runProgram } = await import('./program.ts')
  await runProgram(process.argv.slice(2))
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`)
  process.exitCode = 1
}
