import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

// Loaded into a command with `--import`. It writes down each step that the command takes: a change of the file system, a
// commit, or a statement outside of a transaction. Before the chosen step, it kills the process, as a power failure would.
// Threads of the process share the list.

const { STEP_LIST: list = '', STEP_TO_KILL: stepToKill } = process.env
const { openSync, writeSync, readFileSync } = fs
const descriptor = openSync(list, 'a+')

function step(name: string): void {
  writeSync(descriptor, `${name}\n`)
  if (readFileSync(list, 'utf8').split('\n').length - 1 === Number(stepToKill)) process.kill(process.pid, 'SIGKILL')
}

type Anything = (...given: never[]) => unknown

function observe(owner: object, name: string, isStep: (self: unknown, given: readonly unknown[]) => unknown): void {
  const methods = owner as Record<string, Anything>
  const original = methods[name]
  if (original === undefined) return
  methods[name] = new Proxy(original, {
    apply(target, self, given) {
      if (isStep(self, given)) step(`${name} ${describe(given)}`)
      return Reflect.apply(target, self, given)
    },
  })
}

const describe = (given: readonly unknown[]) =>
  given
    .filter((each) => typeof each === 'string')
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, 120)

const always = () => true
const writes = (_: unknown, [, flags]: readonly unknown[]) => typeof flags === 'string' && /[wa+]/.test(flags)
const changes = ['writeFile', 'rename', 'link', 'rm', 'unlink', 'mkdir', 'copyFile']
for (const name of changes) {
  observe(fs, `${name}Sync`, always)
  observe(fs, name, always)
  observe(fs.promises, name, always)
}
for (const name of ['writeSync', 'write']) observe(fs, name, (_, [file]) => Number(file) > 2)
observe(fs, 'fsyncSync', always)
observe(fs, 'openSync', writes)
observe(fs, 'open', writes)
observe(fs.promises, 'open', writes)
const handle = await fs.promises.open(new URL(import.meta.url), 'r')
for (const name of ['write', 'sync']) observe(Object.getPrototypeOf(handle), name, always)
await handle.close()

const Sqlite = createRequire(import.meta.url)('better-sqlite3')
const memory = new Sqlite(':memory:')
interface Statement {
  readonly source: string
  readonly database: { readonly inTransaction: boolean }
}
observe(Object.getPrototypeOf(memory.prepare('begin')), 'run', (self) => {
  const { source, database } = self as Statement
  return /^commit/.test(source) || (!database.inTransaction && !/^(begin|select)/.test(source))
})
for (const name of ['exec', 'pragma'])
  observe(Sqlite.prototype, name, (self) => !(self as Statement['database']).inTransaction)
memory.close()

// PostgreSQL's protocol has the text of each statement. Citus distributes a table by `select create_distributed_table(…)`.
const inTransaction = new WeakSet<object>()
observe(net.Socket.prototype, 'write', (socket, [bytes]) => {
  if (!Buffer.isBuffer(bytes) || (bytes[0] !== 0x51 && bytes[0] !== 0x50)) return false
  const text = bytes.toString('latin1')
  const self = socket as object
  if (/\bcommit\b/.test(text)) return inTransaction.delete(self)
  if (/^.{5}begin/s.test(text)) inTransaction.add(self)
  return !inTransaction.has(self) && !/^.{5,9}\s*(select(?! create_)|show)/s.test(text)
})
syncBuiltinESMExports()
