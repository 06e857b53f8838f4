#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { requireNode } from '../core/node-version.ts'

// A reader that went away (`| head`, a collector of logs that died) or a full disk ends no server; a command that could not
// say everything fails.
process.stdout.on('error', () => {
  process.exitCode ||= 1
})
process.stderr.on('error', () => undefined)

// The program is loaded only after the look at Node: an older one could not even link it.
try {
  requireNode()
  // What was compiled once is read back at the next start.
  nodeModule.enableCompileCache()
  const { runProgram } = await import('./program.ts')
  await runProgram(process.argv.slice(2))
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`)
  process.exitCode = 1
}
