import { Device, inboundBasePath } from '@service/contract'
import type { DeviceWithSecret } from '@service/contract/admin/hrms'
import { DeviceInput, DevicePatch } from '@service/contract/admin/hrms-input'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Code, Secret } from '../../ui/components/code.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { idempotency } from '../../ui/forms.ts'
import { type PageResult, recordRef, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { text } from '../../ui/resource/fields.tsx'
import { resourcePages } from '../../ui/resource/pages.ts'
import { crumbsOf, defineResource } from '../../ui/resource/resource.ts'
import { AttendanceTabs } from './attendance-pages.tsx'

const devices = defineResource<Device, Device>()({
  noun: 'device',
  parent: { label: 'Attendance', path: '/attendance' },
  icon: 'fingerprint',
  emptyText: 'A device is a door terminal. It sends a punch whenever an employee clocks in or out.',
  role: 'admin',
  api: (admin) => admin.devices,
  title: (device) => device.device_name,
  fields: {
    device_name: text('Name', { hint: 'Its location, such as “Front door”.' }),
    source_type: text('Kind', { hint: 'The device agent, such as zkteco.', narrow: true }),
    external_device_id: text('External ID', {
      classes: 'right',
      hint: 'The id that the device sends in its punches, such as its serial number.',
      narrow: true,
      show: (id) => (id === null ? '–' : <code>{id}</code>),
    }),
  },
  list: {
    row: Device,
    link: 'device_name',
    columns: ['device_name', 'source_type', 'external_device_id'],
    onPhones: ['external_device_id'],
    secondLine: ({ source_type }) => source_type,
    drawer: false,
    heading: (page) => <AttendanceTabs page={page} current="Devices" />,
    live: 'employees',
  },
  form: {
    create: DeviceInput,
    change: DevicePatch,
    verb: 'Rename',
    intro: 'The secret is shown once, right after creation.',
    created: (page, device: DeviceWithSecret) => shownOnce(page, device, 201),
  },
  deletes: {},
})

export const devicePages: WorkspacePages = [
  ...resourcePages(devices),
  { method: 'GET', path: '/attendance/devices/{id}', handle: deviceDetail },
  { method: 'POST', path: '/attendance/devices/{id}/secret', role: 'admin', handle: rotateSecret },
]

async function deviceDetail(page: WorkspacePage): Promise<PageResult> {
  return devicePage(page, await page.admin.devices.get(recordRef(page)))
}

/** Shows the secret only right after it was issued. */
function devicePage(
  page: WorkspacePage,
  device: Device,
  { secret, status = 200 }: { secret?: string; status?: number } = {},
): PageResult {
  const { id, device_name, source_type, external_device_id } = device
  return show({
    title: device_name,
    status,
    crumbs: crumbsOf(devices, page),
    body: (
      <>
        <PageHead title={device_name} actions={page.can('admin') && <Actions page={page} device={device} />} />
        <div class="stack form">
          {secret !== undefined && <Secret id="device-secret" value={secret} label="Secret" />}
          <Facts
            facts={[
              ['Kind', source_type],
              ['External ID', external_device_id === null ? '–' : <code>{external_device_id}</code>],
              ['Device ID', String(id)],
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
  const path = page.link(`/attendance/devices/${id}`)
  return (
    <>
      <Confirm
        id="delete-device"
        button={{ icon: 'trash-2', label: 'Delete', variant: 'quiet' }}
        title={`Delete ${device_name}?`}
        action={`${path}/delete`}
        confirmLabel="Delete device"
      >
        Devices with punches cannot be deleted, because their punches refer to them.
      </Confirm>
      <Confirm
        id="rotate-device"
        button={{ icon: 'rotate-ccw', children: 'New secret' }}
        title="Replace the secret?"
        action={`${path}/secret`}
        confirmLabel="Replace it"
      >
        The current secret stops working immediately. The device is refused until it has the new one.
      </Confirm>
      <LinkButton href={`${path}/edit`} icon="pencil" shortcut="e">
        Rename
      </LinkButton>
    </>
  )
}

/** The secret is shown only in this response. */
const shownOnce = (page: WorkspacePage, { secret, ...device }: DeviceWithSecret, status: number) =>
  devicePage(page, device, { secret, status })

async function rotateSecret(page: WorkspacePage): Promise<PageResult> {
  return shownOnce(page, await page.admin.devices.rotateSecret(recordRef(page), idempotency(page.form)), 200)
}
