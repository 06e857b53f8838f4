/** An access log line of a web server or a proxy. */
export type AccessLine = {
  readonly message: string
  readonly method: string
  readonly url: string
  readonly status: string
}

/** `… "POST /pay HTTP/1.1" 500 …` */
const request = /"([A-Z]{3,10}) (\S{1,2000}) HTTP\/\d(?:\.\d)?" (\d{3})(?= )/
const maxReadLength = 2_500

/** `method=GET path="/pay" … status=503`, as routers write it, in this order. */
const routed = /^(?:\S{1,60}: )?(?=\w{1,30}=)(?:[^\n]{0,1000}\s)?method=([A-Z]{3,10}) path="?([^\s"]{1,2000})"?(?= )/
const routedStatus = /\sstatus=(\d{3})(?!\S)/

const parseLine = (line: string): readonly (string | undefined)[] => {
  if (line.includes(' HTTP/')) return request.exec(line)?.slice(1) ?? []
  if (!line.includes('method=') || !line.includes(' status=')) return []
  return [...(routed.exec(line)?.slice(1) ?? []), routedStatus.exec(line)?.[1]]
}

/** The request and the status. The rest of the line differs with each visitor. */
export const readAccessLine = (text: string): AccessLine | null => {
  const [method, url, status] = parseLine(text.slice(0, maxReadLength))
  if (method === undefined || url === undefined || status === undefined) return null
  const [path = url] = url.split('?', 1)
  return { message: `${method} ${path}: status ${status}`, method, url, status }
}
