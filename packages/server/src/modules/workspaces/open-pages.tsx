import { PageHead } from '../../ui/components/card.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { words } from '../../ui/format.ts'
import { type AccountPage, type AccountPages, type PageResult, show } from '../../ui/page-types.ts'

/** The reader's workspaces, which the menu shows only in part. */
export const openWorkspacePages: AccountPages = [{ method: 'GET', path: '/open', handle: listOwn }]

const maxShown = 200

async function listOwn(page: AccountPage): Promise<PageResult> {
  const search = page.query.text('search')
  const { workspaces } = await page.admin.account.get({ workspaces: maxShown, ...(search !== '' && { search }) })
  return show({
    title: 'Your workspaces',
    body: (
      <>
        <PageHead title="Your workspaces">
          {workspaces.length === maxShown && `The newest ${maxShown}. Search for others by name.`}
        </PageHead>
        <FilterBar path={page.dashboard('/open')} query={page.query} search="Name" filters={[]} />
        {workspaces.length === 0 ? (
          <Empty icon="search" title="No workspaces">
            None of your workspaces has this name.
          </Empty>
        ) : (
          <Table caption="Your workspaces" columns={[{ name: 'Name', classes: 'wide' }, { name: 'Your role' }]}>
            {workspaces.map(({ id, name, role }) => (
              <tr>
                <td class="wide">
                  <div class="with-icon">
                    <Avatar name={name} />
                    <RowLink href={page.dashboard(`/w/${id}/overview`)}>{name}</RowLink>
                  </div>
                </td>
                <td>{words(role)}</td>
              </tr>
            ))}
          </Table>
        )}
      </>
    ),
  })
}
