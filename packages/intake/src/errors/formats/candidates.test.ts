import { expect, it } from 'vitest'
import { candidatesAmong } from './candidates.ts'
import { flat } from './flat.ts'
import type { Format } from './format.ts'
import { formatOf, formats } from './index.ts'

const named = (name: string, recognises: Format['recognises']): Format => ({ ...flat, name, recognises })

const either = named('either', (report) => 'left' in report || report['right'] === 1)
const both = named('both', (report) => Object.hasOwn(report, 'top') && Object.hasOwn(report, 'below'))
const shortest = named('short', (report) => Object.keys(report).length === 0)
const last = named('last', () => true)
const candidatesFor = candidatesAmong([either, both, shortest, last])
const namesFor = (report: Record<string, unknown>) => candidatesFor(report).map(({ name }) => name)

it('leaves out formats that ask for names that a report does not have', () => {
  expect(namesFor({ other: 1 })).toEqual(['short', 'last'])
  expect(namesFor({ right: 2, other: 1 })).toEqual(['either', 'short', 'last'])
  expect(namesFor({ top: null, left: null })).toEqual(['either', 'both', 'short', 'last'])
})

it('finds the format that would be found if all were tried', () => {
  const values = [1, 'error', null, [{ message: 'x' }], { name: 'x', message: 'y' }]
  const names = [
    'message',
    'error',
    'event',
    'data',
    'status',
    'title',
    'alerts',
    'exception',
    'context',
    'code',
    'type',
  ]
  for (let round = 0; round < 2_000; round += 1) {
    const report = Object.fromEntries(
      names.flatMap((name, index) => {
        const draw = (round * (index + 7) * 2_654_435_761) % 97
        return draw < 60 ? [] : [[name, values[draw % values.length]]]
      }),
    )
    expect(formatOf(report).name).toBe(formats.find((format) => format.recognises(report))?.name)
  }
})
