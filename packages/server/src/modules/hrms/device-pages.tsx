import type { Device } from '@service/contract'
import { inboundBasePath } from '@service/contract'
import type { DeviceWithSecret } from '@service/contract/admin/hrms'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Code, Secret } from '../../ui/components/code.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { Form, FormFoot, TextField } from '../../ui/components/form.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { counted } from '../../ui/format.ts'
import {
  type FormState,
  freshForm,
  ifUnchanged,
  numberOrUndefined,
  onceKey,
  submit,
  textOrNull,
} from '../../ui/forms.ts'
import {
  type PageResult,
  placeOf,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { AttendanceTabs } from './attendance-pages.tsx'

const devices = '/attendance/devices'

export const devicePages: WorkspacePages = [
  { method: 'GET', path: devices, handle: deviceList },
  { method: 'GET', path: `${devices}/new`, role: 'admin', handle: (page) => newDevice(page, freshForm()) },
  { method: 'POST', path: devices, role: 'admin', handle: createDevice },
  { method: 'GET', path: `${devices}/{id}`, handle: deviceDetail },
  { method: 'GET', path: `${devices}/{id}/edit`, role: 'admin', handle: editDevice },
  { method: 'POST', path: `${devices}/{id}`, role: 'admin', handle: renameDevice },
  { method: 'POST', path: `${devices}/{id}/secret`, role: 'admin', handle: rotateSecret },
  { method: 'POST', path: `${devices}/{id}/delete`, role: 'admin', handle: deleteDevice },
]

const crumbs = (page: WorkspacePage) => [
  { label: 'Attendance', href: page.link('/attendance') },
  { label: 'Devices', href: page.link(devices) },
]

async function deviceList(page: WorkspacePage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.devices.list({ workspace: page.workspace.id }, { before })
  const create = page.can('admin') && <LinkButton href={page.link(`${devices}/new`)}>New device</LinkButton>
  return show({
    title: 'Devices',
    live: true,
    crumbs: crumbs(page).slice(0, 1),
    action: page.can('admin') ? (
      <LinkButton href={page.link(`${devices}/new`)} look="primary" icon="plus" shortcut="c">
        New device
      </LinkButton>
    ) : undefined,
    body: (
      <>
        <AttendanceTabs page={page} current="Devices" />
        <div id="device-list" data-live="employees">
          {data.length === 0 ? (
            <Empty icon="fingerprint" title="No devices yet" actions={create}>
              A terminal at the door. It sends a punch whenever somebody comes or goes.
            </Empty>
          ) : (
            <>
              <Table
                bleed
                caption="Devices"
                columns={[
                  { name: 'Name', look: 'wide' },
                  { name: 'Kind', look: 'wide-only' },
                  { name: 'Its own id', look: 'right' },
                ]}
              >
                {data.map(({ id, device_name, source_type, external_device_id }) => (
                  <tr>
                    <td class="wide">
                      <RowLink id={`open-device-${id}`} href={page.link(`${devices}/${id}`)}>
                        {device_name}
                      </RowLink>
                      <div class="second clip">{source_type}</div>
                    </td>
                    <td class="wide-only tight quiet">{source_type}</td>
                    <td class="right tight">{external_device_id === null ? '–' : <code>{external_device_id}</code>}</td>
                  </tr>
                ))}
              </Table>
              <Pager
                shown={counted(data.length, 'device')}
                older={next_before === null ? undefined : page.link(`${devices}?before=${next_before}`)}
                newest={before === undefined ? undefined : page.link(devices)}
              />
            </>
          )}
        </div>
      </>
    ),
  })
}

async function deviceDetail(page: WorkspacePage): Promise<PageResult> {
  return devicePage(page, await page.admin.devices.get(placeOf(page)))
}

/** With the secret, the one time that it is known. */
function devicePage(
  page: WorkspacePage,
  device: Device,
  { secret, status = 200 }: { secret?: string; status?: number } = {},
) {
  const { id, device_name, source_type, external_device_id } = device
  return show({
    title: device_name,
    status,
    crumbs: crumbs(page),
    body: (
      <>
        <PageHead title={device_name} actions={page.can('admin') && <Actions page={page} device={device} />} />
        <div class="stack form">
          {secret !== undefined && <Secret id="device-secret" value={secret} label="Secret" />}
          <Facts
            facts={[
              ['Kind', source_type],
              ['Its own id', external_device_id === null ? '–' : <code>{external_device_id}</code>],
              ['Number here', String(id)],
            ]}
          />
          <section class="section">
            <h2>Send a punch</h2>
            <Code id="punch-sample" title="curl">
              {punchSample(page, device)}
            </Code>
          </section>
        </div>
      </>
    ),
  })
}

const punchSample = ({ serverUrl, workspace }: WorkspacePage, { id }: Device) =>
  [
    `curl '${serverUrl}${inboundBasePath}/webhooks/${workspace.id}/attendance' \\`,
    `  -H "X-Device-Secret: $DEVICE_SECRET" -H 'Content-Type: application/json' \\`,
    `  -d '{"employee_code":"E-001","device_id":${id},"direction":"in"}'`,
  ].join('\n')

function Actions({ page, device: { id, device_name } }: { readonly page: WorkspacePage; readonly device: Device }) {
  return (
    <>
      <Confirm
        id="delete-device"
        button={{ icon: 'trash-2', label: 'Delete', look: 'quiet' }}
        title={`Delete ${device_name}?`}
        action={page.link(`${devices}/${id}/delete`)}
        does="Delete device"
      >
        A device from which punches came stays: what they say must remain.
      </Confirm>
      <Confirm
        id="rotate-device"
        button={{ icon: 'rotate-ccw', children: 'New secret' }}
        title="Replace the secret?"
        action={page.link(`${devices}/${id}/secret`)}
        does="Replace it"
      >
        The secret of now stops at once; the device is refused until it has the new one.
      </Confirm>
      <LinkButton href={page.link(`${devices}/${id}/edit`)} icon="pencil" shortcut="e">
        Rename
      </LinkButton>
    </>
  )
}

function newDevice(page: WorkspacePage, state: FormState): PageResult {
  return show({
    title: 'New device',
    status: state.status,
    crumbs: crumbs(page),
    body: (
      <>
        <PageHead title="New device">Its secret is shown once, after it is created.</PageHead>
        <Form action={page.link(devices)} state={state}>
          <TextField
            name="device_name"
            label="Name"
            hint="Where it stands, such as “Front door”."
            state={state}
            autofocus
          />
          <TextField name="source_type" label="Kind" hint="The device agent, such as zkteco." narrow state={state} />
          <TextField
            name="external_device_id"
            label="Its own id"
            hint="What it calls itself in its punches, such as its serial number."
            narrow
            optional
            state={state}
          />
          <FormFoot>
            <Button look="primary">Create device</Button>
            <LinkButton href={page.link(devices)} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}

async function createDevice(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const device = {
    device_name: form.text('device_name'),
    source_type: form.text('source_type'),
    external_device_id: textOrNull(form, 'external_device_id'),
  }
  const result = await submit(page, page.admin.devices.create({ workspace: page.workspace.id }, device, onceKey(form)))
  return result.ok ? shownOnce(page, result.data, 201) : newDevice(page, result.form)
}

/** The secret is in this answer and in no other. */
const shownOnce = (page: WorkspacePage, { secret, ...device }: DeviceWithSecret, status: number) =>
  devicePage(page, device, { secret, status })

async function rotateSecret(page: WorkspacePage): Promise<PageResult> {
  return shownOnce(page, await page.admin.devices.rotateSecret(placeOf(page)), 200)
}

async function editDevice(page: WorkspacePage): Promise<PageResult> {
  const { data, meta } = await page.admin.devices.get(placeOf(page)).withMeta()
  return renameForm(page, freshForm({ device_name: data.device_name }), data, meta.headers['etag'])
}

async function renameDevice(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const patch = { device_name: page.form.text('device_name') }
  const result = await submit(page, page.admin.devices.update(place, patch, ifUnchanged(page.form)))
  if (result.ok) return redirect(page.link(`${devices}/${place.id}`), `${result.data.device_name} is saved`)
  const { data, meta } = await page.admin.devices.get(place).withMeta()
  return renameForm(page, result.form, data, meta.headers['etag'])
}

function renameForm(
  page: WorkspacePage,
  state: FormState,
  ...[device, version]: readonly [Device, string | undefined]
): PageResult {
  const own = page.link(`${devices}/${device.id}`)
  return show({
    title: 'Rename',
    status: state.status,
    crumbs: [...crumbs(page), { label: device.device_name, href: own }],
    body: (
      <>
        <PageHead title="Rename device" />
        <Form action={own} state={state} version={version}>
          <TextField name="device_name" label="Name" state={state} autofocus />
          <FormFoot>
            <Button look="primary">Save</Button>
            <LinkButton href={own} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}

async function deleteDevice(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const { device_name } = await page.admin.devices.get(place)
  await page.admin.devices.delete(place)
  return redirect(page.link(devices), `${device_name} is deleted`)
}
