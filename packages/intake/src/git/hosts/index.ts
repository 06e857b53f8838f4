import type { GitHostKey } from '../activity.ts'
import { bitbucket } from './bitbucket.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { GitHost } from './host.ts'

/** To add a host, add one file and one line here. */
export const gitHosts: Readonly<Record<GitHostKey, GitHost>> = { github, gitlab, bitbucket }

export const isGitHostKey = (provider: string): provider is GitHostKey => Object.hasOwn(gitHosts, provider)
