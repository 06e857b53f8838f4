#!/usr/bin/env node
import { Command } from 'commander'
import { version } from '../version.ts'
import { conformanceCommand } from './conformance.ts'
import { listenCommand } from './listen.ts'
import { seedCommand } from './seed.ts'
import { startCommand } from './start.ts'
import { triggerCommand } from './trigger.ts'

const program = new Command('service-server')
  .description('The complete work platform on embedded SQLite or PostgreSQL.')
  .version(version)
  .showHelpAfterError('(see service-server --help)')
  .addCommand(startCommand())
  .addCommand(seedCommand())
  .addCommand(conformanceCommand())
  .addCommand(listenCommand())
  .addCommand(triggerCommand())

await program.parseAsync()
