// The server sends the topics that changed since the page was rendered or last connected. Parts that show them
// (`data-live`, with an id) are re-fetched and merged, which keeps the focus and input.

declare function checkServer(): Promise<string>
declare const htmx: {
  swap(how: { text: string; target: Element; sourceElement: Element; select: string; swap: string }): Promise<void>
}

const liveUrl = document.body.dataset['liveUrl']
const liveState = document.getElementById('live-state')

function setLive(state: 'on' | 'off'): void {
  if (liveState === null) return
  liveState.dataset['state'] = state
  liveState.textContent = state === 'on' ? 'Live' : 'Reconnecting…'
}

/** Topics whose request failed; retried at the next connection. */
const missed = new Set<string>()

function refresh(topics: readonly string[]): void {
  const concerned = [...document.querySelectorAll<HTMLElement>('[data-live][id]')].filter(({ dataset }) =>
    topics.some((topic) => dataset['live']?.split(' ').includes(topic)),
  )
  for (const [page, parts] of Map.groupBy(concerned, pageOf))
    fetchParts(page, parts).catch(() => {
      for (const topic of topics) missed.add(topic)
    })
}

/** The page that a part belongs to. The drawer has its own. */
const pageOf = (part: HTMLElement) =>
  part.closest<HTMLElement>('[data-page]')?.dataset['page'] ?? location.pathname + location.search

async function fetchParts(page: string, parts: readonly HTMLElement[]): Promise<void> {
  const answer = await fetch(page, { headers: { 'hx-request': 'true' } })
  const text = await answer.text()
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const part of parts) {
    const select = `#${CSS.escape(part.id)}`
    // Parts that are missing from the fetched page, such as a refused form, are kept.
    if (answer.ok && part.isConnected && fresh.querySelector(select) !== null)
      await htmx.swap({ text, target: part, sourceElement: part, select, swap: 'outerMorph' })
  }
}

let source: EventSource | undefined

function connect(url: string): void {
  source = new EventSource(url)
  source.addEventListener('open', () => {
    setLive('on')
    refresh([...missed])
    missed.clear()
  })
  source.addEventListener('error', () => {
    setLive('off')
    void checkServer()
  })
  source.addEventListener('changed', ({ data }) => refresh(String(data).split(' ')))
}

if (liveUrl !== undefined) {
  connect(liveUrl)
  addEventListener('pagehide', () => source?.close())
  // After a refusal, such as that of an ended session, the browser does not reconnect.
  document.addEventListener('reachable', () => {
    if (source?.readyState === EventSource.CLOSED) connect(liveUrl)
  })
}
