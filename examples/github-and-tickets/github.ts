/** The GitHub API calls of the bridge. */
export interface GitHub {
  openIssue(issue: { readonly title: string; readonly body: string }): Promise<number>
  findState(issue: number): Promise<'open' | 'closed'>
  closeIssue(issue: number): Promise<void>
}

interface GitHubOptions {
  /** `owner/name`. */
  readonly repository: string
  readonly token: string
  readonly fetch?: typeof fetch
}

export function createGitHub({ repository, token, fetch: send = fetch }: GitHubOptions): GitHub {
  const call = async (method: string, path: string, body?: object) => {
    const response = await send(`https://api.github.com/repos/${repository}/issues${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000), // the platform waits 15 s for a response
    })
    if (!response.ok) throw new Error(`GitHub responded with ${response.status} to ${method} of an issue.`)
    return response.json()
  }
  return {
    openIssue: async (issue) => (await call('POST', '', issue)).number,
    findState: async (issue) => (await call('GET', `/${issue}`)).state,
    closeIssue: async (issue) => void (await call('PATCH', `/${issue}`, { state: 'closed' })),
  }
}
