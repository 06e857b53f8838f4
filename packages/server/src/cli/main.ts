#!/usr/bin/env node
import { Command } from 'commander'
import { version } from '../version.ts'
import { conformanceCommand } from './conformance.ts'
import { startCommand } from './start.ts'

const program = new Command('service-server')
  .description('The complete work platform on embedded SQLite or PostgreSQL.')
  .version(version)
  .showHelpAfterError('(see service-server --help)')
  .addCommand(startCommand())
  .addCommand(conformanceCommand())

await program.parseAsync()
