// The sections of the HTTP reference. Each is a page, and an entry in the sidebar.
import { tags } from '../../../packages/contract/src/docs/tags.ts'

export interface Section {
  /** Its page in `docs/reference/`, without `.md`. */
  readonly path: string
  readonly title: string
  readonly about: string
}

const inbound: readonly string[] = ['Error reports', 'Attendance devices', 'Lead capture', 'Git events']
const outbound = 'Outbound events'

const toPath = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

const sectionsOf = (folder: string, named: Readonly<Record<string, { readonly about: string }>>): Section[] =>
  Object.entries(named).map(([title, { about }]) => ({ path: `${folder}/${toPath(title)}`, title, about }))

const platform = sectionsOf('api', tags.api)

export const sections = {
  rest: platform.filter(({ title }) => title !== outbound && !inbound.includes(title)),
  inbound: platform.filter(({ title }) => inbound.includes(title)),
  outbound: platform.filter(({ title }) => title === outbound),
  admin: sectionsOf('admin', tags.admin),
}
