import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const file = new URL('../../deploy/compose.sqlite.yaml', import.meta.url)

/** Returns the server's environment in the Compose file, for a domain. */
export function environmentFor(domain: string): Record<string, string> {
  const { services } = parse(readFileSync(file, 'utf8'))
  const environment: Record<string, string> = services.server.environment
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replaceAll('$' + '{SERVICE_DOMAIN}', domain)]),
  )
}
