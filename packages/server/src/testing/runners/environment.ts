import type { ConnectionInfo } from './connection-info.ts'

/** Environment variables by name, and what of the service they hold while a test runs. */
export type EnvironmentPatch = Readonly<Record<string, keyof ConnectionInfo>>

const patched = new Set<string>()

/** Sets the variables, and gives back what puts them back. Throws where a test that still runs has set one. */
export function patchEnvironment(patch: EnvironmentPatch, facts: ConnectionInfo): () => void {
  const taken = Object.keys(patch).find((name) => patched.has(name))
  if (taken !== undefined) {
    throw new TypeError(
      `${taken} is set by another test that still runs, and a process has only one: let these tests run one after the other, or leave \`env\` out and pass \`service.origin\` on.`,
    )
  }
  const before = Object.keys(patch).map((name) => [name, process.env[name]] as const)
  for (const [name, fact] of Object.entries(patch)) {
    patched.add(name)
    process.env[name] = String(facts[fact])
  }
  return () => {
    for (const [name, value] of before) {
      patched.delete(name)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
