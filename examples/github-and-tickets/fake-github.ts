import { createHmac, randomUUID } from 'node:crypto'

interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  state: 'open' | 'closed'
}

/** A fake GitHub that, like the real one, sends a webhook for every change. */
export function startGitHub(options: { readonly secret: string; readonly repository: string }) {
  const issues: Issue[] = []
  const written: string[] = []
  const receivers: ((request: Request) => Promise<Response>)[] = []

  const announce = async (action: string, issue: Issue) => {
    const [name = ''] = options.repository.split('/').slice(1)
    const repository = { id: 1, name, full_name: options.repository, html_url: `https://github.test/${name}` }
    const html_url = `https://github.test/${options.repository}/issues/${issue.number}`
    const body = JSON.stringify({ action, issue: { id: issue.number, html_url, ...issue }, repository })
    const signature = `sha256=${createHmac('sha256', options.secret).update(body).digest('hex')}`
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signature,
    }
    for (const receive of receivers) {
      const response = await receive(new Request('https://bridge.test/github', { method: 'POST', headers, body }))
      if (!response.ok) throw new Error(`The bridge responded with ${response.status}.`)
    }
  }

  const open = async (title: string, body: string) => {
    const issue: Issue = { number: issues.length + 1, title, body, state: 'open' }
    issues.push(issue)
    await announce('opened', issue)
    return issue
  }
  const close = async (issue: Issue) => {
    if (issue.state === 'closed') return
    issue.state = 'closed'
    await announce('closed', issue)
  }

  /** The API calls that the bridge uses. */
  const api: typeof fetch = async (input, init) => {
    const issue = issues[Number(String(input).split('/').at(-1)) - 1]
    const method = init?.method ?? 'GET'
    if (method !== 'GET') written.push(method)
    if (method === 'POST') {
      const { title, body } = JSON.parse(String(init?.body))
      return Response.json(await open(title, body), { status: 201 })
    }
    if (issue === undefined) return new Response(null, { status: 404 })
    if (method === 'PATCH') await close(issue)
    return Response.json(issue)
  }
  return {
    issues,
    written,
    api,
    open,
    close,
    addReceiver: (receive: (typeof receivers)[number]) => receivers.push(receive),
  }
}
