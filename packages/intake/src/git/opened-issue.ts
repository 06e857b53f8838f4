import type { GitRepository, OpenedIssue } from './activity.ts'

const hostOf = (url: string | null) => (url === null ? null : (URL.parse(url)?.host ?? null))

/** `https://github.com/octo/hello/issues/3` → `octo/hello`, for bodies that carry the issue and no repository. */
const pathBeforeIssue = (url: string | null) => {
  const path = (url === null ? undefined : URL.parse(url)?.pathname) ?? ''
  const [before = ''] = path.split(/\/(?:-\/)?(?:issues|work_items)\//, 1)
  return before.slice(1).toLowerCase() || null
}

type IssueLocation = {
  /** The host's own id of the repository, which survives a rename. */
  readonly id: string | null
  readonly repository: GitRepository | null
  readonly issueUrl: string | null
  /** The server of a body without any address. */
  readonly usualHost: string
}

/** The key includes the server's name, because github.com and self-hosted servers have separate ids. */
export const toRepositoryKey = ({ id, repository, issueUrl, usualHost }: IssueLocation): string => {
  const host = hostOf(repository?.url ?? null) ?? hostOf(issueUrl) ?? usualHost
  const name = repository?.name.toLowerCase() ?? pathBeforeIssue(issueUrl) ?? 'unnamed'
  return `${host}${id === null ? `/${name}` : `#${id}`}`
}

type IssueText = Omit<OpenedIssue, 'title' | 'number'> & {
  readonly number: number | null
  readonly title: string | null
}

/** Without a number, duplicates could not be detected, so no ticket is opened. */
export const openedIssue = ({ number, title, ...rest }: IssueText): OpenedIssue | null =>
  number === null ? null : { ...rest, number, title: title ?? `Issue #${number}` }
