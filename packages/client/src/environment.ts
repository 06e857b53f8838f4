/** Reads an option from its environment variable. Throws if it is missing or empty, or if the runtime has no environment. */
export function readVariable(option: string, variable: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } } // not in browsers
  const value = process?.env?.[variable]
  if (!value) throw new TypeError(`${option} is missing. Pass it to createClient, or set ${variable}.`)
  return value
}
