import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Returns the server's environment in a Compose file, for a domain. */
export function environmentFor(domain: string, file = 'compose.sqlite.yaml'): Record<string, string> {
  const { services } = parse(readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8'))
  const environment: Record<string, string | number> = services.server.environment
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replaceAll('$' + '{SERVICE_DOMAIN}', domain),
    ]),
  )
}
