import type { ProjectDetail } from '@service/contract/admin/work'
import { Badge, PriorityMark, StatusMark, type Tone } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { namesOf } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Day, Time } from '../../ui/components/time.tsx'
import { counted, words } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type PageResult, placeOf, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { createProject, editProject, newProject, updateProject } from './edit-pages.tsx'

export const projectPages: WorkspacePages = [
  { method: 'GET', path: '/projects', handle: projectList },
  { method: 'GET', path: '/projects/new', role: 'member', handle: newProject },
  { method: 'POST', path: '/projects', role: 'member', handle: createProject },
  { method: 'GET', path: '/projects/{id}', handle: projectDetail },
  { method: 'GET', path: '/projects/{id}/edit', role: 'member', handle: editProject },
  { method: 'POST', path: '/projects/{id}', role: 'member', handle: updateProject },
]

const tones: Readonly<Record<string, Tone>> = {
  planning: 'info',
  active: 'ok',
  on_hold: 'warn',
  completed: 'mute',
  archived: 'mute',
}

const Status = ({ status }: { readonly status: string }) => (
  <Badge tone={tones[status] ?? 'mute'}>{words(status)}</Badge>
)

async function projectList(page: WorkspacePage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.projects.list({ workspace: page.workspace.id }, { before })
  const create = (
    <LinkButton href={page.link('/projects/new')} look="primary" icon="plus" shortcut="c">
      New project
    </LinkButton>
  )
  return show({
    title: 'Projects',
    live: true,
    action: page.can('member') ? create : undefined,
    body: (
      <div id="project-list" data-live="projects">
        <PageHead title="Projects" />
        {data.length === 0 ? (
          <Empty
            icon="folder-kanban"
            title="No projects yet"
            actions={page.can('member') && <LinkButton href={page.link('/projects/new')}>New project</LinkButton>}
          >
            A project holds tickets and tasks that belong together.
          </Empty>
        ) : (
          <>
            <Table
              bleed
              caption="Projects"
              columns={[
                { name: 'Name', look: 'wide' },
                { name: 'State' },
                { name: 'Starts', look: 'right wide-only' },
                { name: 'Due', look: 'right' },
              ]}
            >
              {data.map(({ id, name, status, color, starts_at, due_at }) => (
                <tr id={`project-${id}`}>
                  <td class="wide">
                    <div class="with-icon">
                      <Colour value={color} />
                      <RowLink id={`open-project-${id}`} href={page.link(`/projects/${id}`)} drawer>
                        {name}
                      </RowLink>
                    </div>
                  </td>
                  <td class="tight">
                    <Status status={status} />
                  </td>
                  <td class="right meta wide-only">
                    <Day on={starts_at} />
                  </td>
                  <td class="right meta tight">
                    <Day on={due_at} />
                  </td>
                </tr>
              ))}
            </Table>
            <Pager
              shown={counted(data.length, 'project')}
              older={next_before === null ? undefined : page.link(`/projects?before=${next_before}`)}
              newest={before === undefined ? undefined : page.link('/projects')}
            />
          </>
        )}
      </div>
    ),
  })
}

/** The colour that the project was given; as a drawing, because a style attribute is not allowed. */
const Colour = ({ value }: { readonly value: string | null }) => (
  <svg class="state" viewBox="0 0 14 14" aria-hidden="true">
    {value === null ? (
      <rect class="s-mute" x="1" y="1" width="12" height="12" rx="3" fill="none" stroke-width="1.5" />
    ) : (
      <rect width="14" height="14" rx="4" fill={value} />
    )}
  </svg>
)

async function projectDetail(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const at = { workspace: place.workspace }
  const [project, tasks, tickets, members] = await Promise.all([
    page.admin.projects.get(place),
    page.admin.tasks.list(at, { project_id: place.id, limit: 20 }),
    page.admin.tickets.list(at, { project_id: place.id, limit: 20 }),
    page.admin.members.list(at, { limit: 200 }),
  ])
  const names = namesOf(members.data)
  return show({
    title: project.name,
    live: true,
    crumbs: [{ label: 'Projects', href: page.link('/projects') }],
    body: (
      <div class="stack" id={`project-detail-${project.id}`} data-live="projects tasks tickets">
        <PageHead
          title={project.name}
          badge={<Status status={project.status} />}
          actions={
            page.can('member') && (
              <LinkButton id="edit-project" href={page.link(`/projects/${project.id}/edit`)} icon="pencil" shortcut="e">
                Edit
              </LinkButton>
            )
          }
        />
        <ProjectFacts page={page} project={project} />
        <Card
          title="Tasks"
          flush
          aside={tasks.data.length > 0 && <a href={page.link(`/tasks?project_id=${project.id}`)}>Board</a>}
        >
          {tasks.data.length === 0 ? (
            <p class="card-body quiet">No tasks yet.</p>
          ) : (
            <Table caption="Its newest tasks" columns={[{ name: 'Task', look: 'wide' }, { name: 'Assignee' }]}>
              {tasks.data.map((task) => (
                <tr>
                  <td class="wide">
                    <div class="with-icon">
                      <StatusMark status={task.status} />
                      <RowLink href={page.link(`/tasks/${task.id}`)}>{task.title}</RowLink>
                    </div>
                  </td>
                  <td class="tight">
                    <Person name={names.get(task.assigned_to)} empty="–" />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </Card>
        <Card
          title="Tickets"
          flush
          aside={tickets.data.length > 0 && <a href={page.link(`/tickets?project_id=${project.id}`)}>All</a>}
        >
          {tickets.data.length === 0 ? (
            <p class="card-body quiet">No tickets yet.</p>
          ) : (
            <Table
              caption="Its newest tickets"
              columns={[
                { name: 'Ticket', look: 'wide' },
                { name: 'Updated', look: 'right' },
              ]}
            >
              {tickets.data.map((ticket) => (
                <tr>
                  <td class="wide">
                    <div class="with-icon">
                      <PriorityMark priority={ticket.priority} />
                      <StatusMark status={ticket.status} />
                      <RowLink href={page.link(`/tickets/${ticket.id}`)}>{ticket.title}</RowLink>
                    </div>
                  </td>
                  <td class="right meta tight">
                    <Time at={ticket.updated_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </Card>
      </div>
    ),
  })
}

function ProjectFacts({
  page,
  project: { starts_at, due_at, open_tickets, open_tasks, created_at, status },
}: {
  readonly page: WorkspacePage
  readonly project: ProjectDetail
}) {
  const isRunning = status !== 'completed' && status !== 'archived'
  const isLate = isRunning && due_at !== null && Date.parse(due_at) + 86_400_000 < page.now
  return (
    <Facts
      facts={[
        ['Open', `${counted(open_tickets, 'ticket')}, ${counted(open_tasks, 'task')}`],
        starts_at !== null && ['Starts', <Day on={starts_at} />],
        due_at !== null && ['Due', <Day on={due_at} isLate={isLate} />],
        ['Created', <Time at={created_at} exact />],
      ]}
    />
  )
}
