import type { Reporter, TestCase } from 'vitest/node'

/** Lists the tests that passed on the second attempt, so that their causes are found. */
export class UnsteadyReporter implements Reporter {
  readonly #unsteady: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#unsteady.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#unsteady) process.stdout.write(`Unsteady: ${name}\n`)
  }
}
