/** A request as it goes over the wire. */
export interface WireRequest {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** A line for a POSIX shell that makes the request: the same bytes, whatever stands in them. */
export const toCurl = ({ url, headers, body }: WireRequest): string =>
  [
    `curl -sS -i ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')

/** Between single quotes a shell changes nothing; a single quote itself has to stand outside of them. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
