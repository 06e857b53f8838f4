/** For runtimes with a command line: `node`, `node --conditions=workerd`, `bun`, `deno run -A`. */
import process from 'node:process'
import { collectResults } from './everywhere.js'

process.stdout.write(JSON.stringify(await collectResults()))
