/** These scripts talk to a person at a terminal. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
