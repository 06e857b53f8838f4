import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { withExitCodes } from '../src/cli/command.ts'
import { commands } from '../src/cli/program.ts'
import { runHere } from './cli-in-process.ts'

/** Every leaf command, with the words that call it. */
async function everyCommand(): Promise<[string, Command][]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => leavesOf(name, await load())),
  )
  return loaded.flat()
}

const leavesOf = (words: string, command: Command): [string, Command][] =>
  command.commands.length === 0
    ? [[words, command]]
    : command.commands.flatMap((child) => leavesOf(`${words} ${child.name()}`, child))

function helpOf(command: Command): string {
  const written: string[] = []
  withExitCodes(command)
    .configureOutput({ writeOut: (text) => void written.push(text) })
    .outputHelp()
  return written.join('')
}

test('every command has --json, a description, and an example', async () => {
  const all = await everyCommand()
  expect(all.length).toBeGreaterThan(70)
  for (const [words, command] of all) {
    const help = helpOf(command)
    expect(command.description(), words).toMatch(/^[A-Z].*\.$/)
    expect(help, words).toContain('--json')
    expect(help.slice(help.indexOf('Example')), words).toMatch(new RegExp(`service-server.*${words.split(' ')[0]}`))
  }
})

test('every destructive command has --yes', async () => {
  const destroying = /^(restore|prune|rotate-key|.*(delete|revoke|revoke-previous-secret))$/
  for (const [words, command] of await everyCommand())
    if (destroying.test(words)) expect(helpOf(command), words).toContain('--yes')
})

test('help marks every required option', async () => {
  const marked = new Map(
    (await everyCommand()).map(([words, command]) => [
      words,
      helpOf(command)
        .split(/\n(?= +-)/)
        .flatMap((option) => (option.includes('(required') ? (/--[\w-]+/.exec(option) ?? []) : [])),
    ]),
  )
  expect(marked.get('token create')).toEqual(['--user', '--scopes'])
  expect(marked.get('webhook create')).toEqual(['--webhook-url', '--events'])
  expect(marked.get('setup')).toEqual(['--workspace', '--name', '--email'])
  expect(marked.get('db copy')).toEqual(['--from', '--to'])
})

test('the help of deliveries names the state of retrying ones', async () => {
  const all = new Map(await everyCommand())
  for (const words of ['delivery list', 'webhook recover'])
    expect(all.get(words)?.description(), words).toMatch(/`pending`.*retrying|retrying.*`pending`/)
})

test('every option with an id of the platform takes only a number, and --json makes the error JSON', async () => {
  const ids = (await everyCommand()).flatMap(([words, { options }]) =>
    options
      .filter(({ flags }) => flags.endsWith('<id>') && flags !== '--device-id <id>')
      .map(({ long }) => [...words.split(' '), `${long}`, 'abc']),
  )
  expect(ids.length).toBeGreaterThan(40)
  for (const words of ids) {
    const { code, stdout, stderr } = await runHere([...words, '--json'], {})
    expect([code, stdout], words.join(' ')).toEqual([2, ''])
    const { message } = JSON.parse(stderr).error
    expect(message).toMatch(/^option '--\w+ <id>' argument 'abc' is invalid\. It must be a number, such as 7\.$/)
  }
})
