/** For runtimes with a command line. */
import process from 'node:process'
import { collectResults } from './everywhere.js'

process.stdout.write(JSON.stringify(await collectResults()))
