import type { IntegrationName } from '@service/client/admin'
import type { IconName } from '../../ui/icon-names.ts'

interface About {
  readonly title: string
  readonly icon: IconName
  /** What it does, in one sentence. */
  readonly about: string
}

/** The integrations as people know them. */
export const integrationsByName: Readonly<Record<IntegrationName, About>> = {
  errors: {
    title: 'Error monitor',
    icon: 'bug',
    about: 'Programs report their errors here; each kind of error becomes one ticket.',
  },
  attendance: {
    title: 'Attendance',
    icon: 'fingerprint',
    about: 'Terminals and door readers send the punches of employees.',
  },
  github: { title: 'GitHub', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
  gitlab: { title: 'GitLab', icon: 'git-branch', about: 'Pushes, merge requests and issues of projects.' },
  bitbucket: { title: 'Bitbucket', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
}
