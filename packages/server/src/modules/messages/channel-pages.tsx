import type { Channel } from '@service/contract/admin/messages'
import { Confirm } from '../../ui/components/dialog.tsx'
import { TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { type FormState, idempotency, newForm, submit, withStoredValues } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { ifUnchanged, readVersioned, type Versioned } from '../../ui/versions.ts'

export const channelPages: WorkspacePages = [
  {
    method: 'GET',
    path: '/messages/new',
    role: 'member',
    creates: 'channel',
    handle: (page) => channelForm(page, newForm()),
  },
  { method: 'POST', path: '/messages', role: 'member', handle: createChannel },
  { method: 'GET', path: '/messages/{id}/edit', role: 'member', handle: editChannel },
  { method: 'POST', path: '/messages/{id}/edit', role: 'member', handle: renameChannel },
  { method: 'POST', path: '/messages/{id}/delete', role: 'member', handle: deleteChannel },
]

async function createChannel(page: WorkspacePage): Promise<PageResult> {
  const channel = { name: page.form.text('name') }
  const call = page.admin.channels.create({ workspace: page.workspace.id }, channel, idempotency(page.form))
  const result = await submit(page, call)
  if (!result.ok) return channelForm(page, result.form)
  return redirect(page.link(`/messages/${result.data.id}`), `${result.data.name} is created`)
}

async function editChannel(page: WorkspacePage): Promise<PageResult> {
  const edited = await readVersioned(page.admin.channels.get(recordRef(page)))
  return channelForm(page, newForm({ name: edited.data.name }), edited)
}

async function renameChannel(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const patch = { name: page.form.text('name') }
  const result = await submit(page, page.admin.channels.update(ref, patch, ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`/messages/${ref.id}`), `${result.data.name} is saved`)
  const edited = await readVersioned(page.admin.channels.get(ref))
  return channelForm(page, withStoredValues(page.form, result.form, { name: edited.data.name }), edited)
}

async function deleteChannel(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const { name } = await page.admin.channels.get(ref)
  await page.admin.channels.delete(ref)
  return redirect(page.link('/messages'), `${name} is deleted`)
}

function channelForm(page: WorkspacePage, state: FormState, edited?: Versioned<Channel>): PageResult {
  const channel = edited?.data
  const own = channel === undefined ? '/messages' : `/messages/${channel.id}`
  return formPage({
    title: channel === undefined ? 'New channel' : 'Rename',
    heading: channel === undefined ? 'New channel' : `Rename ${channel.name}`,
    crumbs: [{ label: 'Messages', href: page.link(own) }],
    actions: channel !== undefined && (
      <Confirm
        id="delete-channel"
        button={{ icon: 'trash-2', label: 'Delete', variant: 'quiet' }}
        title={`Delete ${channel.name}?`}
        action={page.link(`${own}/delete`)}
        confirmLabel="Delete channel"
      >
        A channel with messages cannot be deleted.
      </Confirm>
    ),
    action: page.link(channel === undefined ? own : `${own}/edit`),
    cancel: page.link(own),
    state,
    version: edited?.version,
    fields: <TextField name="name" label="Name" hint="Such as “dispatch”." state={state} autofocus />,
    submitLabel: channel === undefined ? 'Create channel' : 'Save',
  })
}
