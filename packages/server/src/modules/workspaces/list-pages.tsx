import { PageHead } from '../../ui/components/card.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { counted } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type AccountPage, type AccountPages, type PageResult, show } from '../../ui/page-types.ts'

/** All workspaces of the server, for its administrators. */
export const workspaceListPages: AccountPages = [
  { method: 'GET', path: '/workspaces', role: 'instance', handle: workspaceList },
]

async function workspaceList(page: AccountPage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.workspaces.list({ before })
  return show({
    title: 'All workspaces',
    body: (
      <>
        <PageHead title="All workspaces" />
        <Table
          bleed
          caption="Workspaces"
          columns={[
            { name: 'Name', look: 'wide' },
            { name: 'Created', look: 'right' },
          ]}
        >
          {data.map(({ id, name, created_at }) => (
            <tr>
              <td class="wide">
                <RowLink href={page.dashboard(`/w/${id}/overview`)}>{name}</RowLink>
              </td>
              <td class="right meta tight">
                <Time at={created_at} />
              </td>
            </tr>
          ))}
        </Table>
        <Pager
          shown={counted(data.length, 'workspace')}
          older={next_before === null ? undefined : page.dashboard(`/workspaces?before=${next_before}`)}
          newest={before === undefined ? undefined : page.dashboard('/workspaces')}
        />
      </>
    ),
  })
}
