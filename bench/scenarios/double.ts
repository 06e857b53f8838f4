import type { DoubleSample } from '../double/sample.ts'
import { atMost, because, row } from '../findings.ts'
import { probe } from '../processes/probe.ts'
import type { Scenario } from './scenario.ts'

/** What the platform costs as a test double: a clean state, a call, an hour that passes. */
export const double: Scenario = {
  steps: ({ rounds }) => rounds,
  async run({ rounds }, progress) {
    const samples: DoubleSample[] = []
    for (let round = 0; round < rounds; round += 1) {
      samples.push(await probe<DoubleSample>('double/probe.ts'))
      progress(`round ${round + 1}: state, calls, time`)
    }
    return {
      title: 'The test double',
      method:
        'Each round is a fresh process with the demo workspace in memory. Reset, fork and calls are CPU time; the call is the list of 50 tickets, the floor the same handler without door, journal and contract. The heap is compared after garbage collection.',
      columns: ['measured'],
      rows: rowsOf(samples),
      goals: goalsOf(samples),
    }
  },
}

const rowsOf = (samples: readonly DoubleSample[]) => {
  const line = (name: string, value: (sample: DoubleSample) => number) => row(name, samples.map(value))
  return [
    line('bare handler, µs a call', ({ bareMicros }) => bareMicros),
    line('with the journal, µs a call', ({ journalMicros }) => journalMicros),
    line('with journal and contract, µs a call', ({ contractMicros }) => contractMicros),
    line('a creation, with the journal, µs', ({ creationMicros }) => creationMicros),
    line('the same with the contract, µs', ({ creationContractMicros }) => creationContractMicros),
    line('the list after a creation, with the journal, µs', ({ changedMicros }) => changedMicros),
    line('the same with the contract, µs', ({ changedContractMicros }) => changedContractMicros),
    line('1,000 tests at once, each with a fork of its own, ms', ({ thousandTestsMs }) => thousandTestsMs),
  ]
}

const whyNotSooner =
  'each opens a database of its own. A profile of reset has a third in opening it, where SQLite reads a schema of a hundred objects, a seventh in preparing the statements that a start needs, 7 % in mounting routes and 7 % in collecting garbage.'

const goalsOf = (samples: readonly DoubleSample[]) => {
  const goal = (says: string, limit: number, value: (sample: DoubleSample) => number) =>
    atMost(says, limit, samples.map(value))
  return [
    because(
      goal('reset, ms', 2, ({ resetMs }) => resetMs),
      whyNotSooner,
    ),
    because(
      goal('fork, ms', 2, ({ forkMs }) => forkMs),
      whyNotSooner,
    ),
    because(
      goal('100 forks, ms', 300, ({ hundredForksMs }) => hundredForksMs),
      whyNotSooner,
    ),
    goal('100 forks, MB', 100, ({ hundredForksMb }) => hundredForksMb),
    goal(
      'a call over the bare handler, journal on, µs',
      60,
      ({ journalMicros, bareMicros }) => journalMicros - bareMicros,
    ),
    goal('the same with the contract, µs', 60, ({ contractMicros, bareMicros }) => contractMicros - bareMicros),
    because(
      goal(
        'the contract for a list that has changed, µs',
        30,
        ({ changedMicros, changedContractMicros }) => changedContractMicros - changedMicros,
      ),
      'fifty tickets are parsed, compared field by field and with what they were before. It is the difference of two times ten times as long, so that it moves with the machine: 25 to 35 µs in two runs on a quieter one.',
    ),
    goal(
      'the contract for a creation, µs for each of what is sent, what is answered and the event',
      30,
      ({ creationMicros, creationContractMicros }) => (creationContractMicros - creationMicros) / 3,
    ),
    goal('heap after 50,000 calls, MB more', 5, ({ heapGrowthMb }) => heapGrowthMb),
    goal('76 h of retries of 100 deliveries, ms', 5000, ({ retriesMs }) => retriesMs),
  ]
}
