// The server sends the topics that changed since the page was rendered or last connected. Parts that show them
// (`data-live`, with an id) are re-fetched and merged, which keeps the focus and input. If only records of a list were
// updated (`tickets:12`), their rows are fetched instead of the list.

declare function checkServer(): Promise<string>
declare const htmx: {
  swap(how: { text: string; target: Element; sourceElement: Element; select: string; swap: string }): Promise<void>
}

const liveUrl = document.body.dataset['liveUrl']
const liveState = document.getElementById('live-state')

const liveTexts = { on: 'Live', off: 'Reconnecting…', refused: 'Reload for changes' }

function setLive(state: keyof typeof liveTexts): void {
  if (liveState === null) return
  liveState.dataset['state'] = state
  liveState.textContent = liveTexts[state]
}

/** Changes whose request failed; retried at the next connection. */
const missed = new Set<string>()

const concerning = ({ dataset }: HTMLElement, changes: readonly string[]) =>
  changes.filter((change) => dataset['live']?.split(' ').includes(change.replace(/:.*/, '')))

function refresh(changes: readonly string[]): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-live][id]')]
  const concerned = parts.filter((part) => concerning(part, changes).length > 0)
  for (const [page, ofPage] of Map.groupBy(concerned, pageOf))
    fetchParts(page, ofPage, changes).catch(() => {
      for (const change of changes) missed.add(change)
    })
}

/** The page that a part belongs to. The drawer has its own. */
const pageOf = (part: HTMLElement) =>
  part.closest<HTMLElement>('[data-page]')?.dataset['page'] ?? location.pathname + location.search

async function fetchParts(page: string, parts: readonly HTMLElement[], changes: readonly string[] = []): Promise<void> {
  const list = parts.find(({ dataset }) => dataset['noun'])
  const rows = list && !page.includes('sort=') ? updatedRows(list, changes) : undefined
  const url = new URL(page, location.href)
  for (const row of rows ?? []) url.searchParams.append('row', String(parseId(row)))
  const answer = await fetch(url, { headers: { 'hx-request': 'refresh' } })
  const text = await answer.text()
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const merge = async (id: string) => {
    const part = document.getElementById(id)
    // Parts that are missing from the fetched page, such as a refused form, are kept.
    if (!part || !fresh.getElementById(id)) return
    await htmx.swap({ text, target: part, sourceElement: part, select: `#${CSS.escape(id)}`, swap: 'outerMorph' })
  }
  for (const part of parts) if (!rows || part !== list) await merge(part.id)
  if (!list || !rows) return
  const isMoved = (row: string) => !fresh.getElementById(row) !== !document.getElementById(row)
  // Records that entered or left the list move others.
  if (rows.some((row) => isMoved(row) && !isOnLaterPage(list, row))) return fetchParts(page, [list])
  for (const row of rows) await merge(row)
}

/** The rows to fetch; undefined if the list must be fetched, because rows may be new. A sorted list may change its order. */
function updatedRows(list: HTMLElement, changes: readonly string[]): string[] | undefined {
  const own = concerning(list, changes)
  const areUpdates = own.every((change) => change.startsWith(`${list.dataset['noun']}s:`))
  return own[0] && areUpdates && own.length <= 20 ? own.map((change) => change.replace('s:', '-')) : undefined
}

const parseId = (row: string | undefined) => Number(row?.split('-')[1])

const isOnLaterPage = (list: HTMLElement, row: string) =>
  list.querySelector('[rel=next]') && parseId(row) < parseId(list.querySelector('tbody tr:last-child')?.id)

let source: EventSource | undefined

/** The server refuses streams beyond its limits. The browser does not reconnect after a refusal. */
const refusedRetryMs = 60_000

/** The server sends a beat every 15 seconds. A frozen or unreachable server does not end the connection. */
const maxSilenceMs = 40_000

let reconnect: ReturnType<typeof setTimeout> | undefined

function reconnectIn(ms: number): void {
  clearTimeout(reconnect)
  reconnect = setTimeout(() => {
    source?.close()
    setLive('off')
    follow()
    void checkServer()
  }, ms)
}

/** A browser has six connections to a server, so only visible pages keep one. Hidden ones catch up when they are shown. */
function follow(): void {
  if (document.hidden) {
    source?.close()
    clearTimeout(reconnect)
  } else if (liveUrl && source?.readyState !== EventSource.OPEN) connect(liveUrl)
}

function connect(url: string): void {
  source?.close()
  reconnectIn(maxSilenceMs)
  source = new EventSource(url)
  source.addEventListener('open', () => {
    setLive('on')
    document.dispatchEvent(new Event('live'))
    refresh([...missed])
    missed.clear()
  })
  source.addEventListener('error', () => {
    const isRefused = source?.readyState === EventSource.CLOSED
    setLive(isRefused ? 'refused' : 'off')
    if (isRefused) reconnectIn(refusedRetryMs)
    void checkServer()
  })
  source.addEventListener('message', () => reconnectIn(maxSilenceMs))
  source.addEventListener('changed', ({ data }) => refresh(String(data).split(' ')))
}

follow()
document.addEventListener('visibilitychange', follow)
document.addEventListener('reachable', follow)
addEventListener('pagehide', () => source?.close())
