import { Tabs } from '../../ui/components/tabs.tsx'
import type { WorkspacePage } from '../../ui/page-types.ts'

const views = [
  ['Day', '/attendance'],
  ['Punches', '/attendance/punches'],
  ['Unmatched', '/attendance/unmatched'],
  ['Devices', '/attendance/devices'],
] as const

/** The views of attendance. */
export function AttendanceTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: (typeof views)[number][0]
}) {
  return (
    <>
      <h1 class="sr">Attendance: {current.toLowerCase()}</h1>
      <Tabs
        label="Views of attendance"
        tabs={views.map(([label, path]) => ({ label, href: page.link(path), isCurrent: label === current }))}
      />
    </>
  )
}
