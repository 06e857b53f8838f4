import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed at their second attempt. Each has a fault of its own, which somebody must mend. */
export class UnsteadyReporter implements Reporter {
  readonly #unsteady: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#unsteady.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#unsteady) process.stdout.write(`Unsteady: ${name}\n`)
  }
}
