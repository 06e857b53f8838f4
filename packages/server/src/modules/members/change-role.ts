import type { Member } from '@service/contract/admin/people'
import type { MemberRole } from '@service/contract/admin/people-input'
import { refusedForm, type Submitted, submit } from '../../ui/forms.ts'
import type { AccountPage } from '../../ui/page-types.ts'
import { ifVersion, readVersioned } from '../../ui/versions.ts'

interface MemberRef {
  readonly workspace: number
  readonly id: number
}

/**
 * Changes a role, unless someone else has changed it since the form was opened. The version in the form is the role
 * itself, because the versions of the members in a list would take one read each.
 */
export async function changeRole(page: AccountPage, ref: MemberRef): Promise<Submitted<Member>> {
  const { admin, form } = page
  const role = form.text('role') as MemberRole // validated by the server
  const { data: stored, version } = await readVersioned(admin.members.get(ref))
  const seen = form.text('version')
  const isStale = seen !== '' && stored.role !== seen && stored.role !== role
  const result = isStale ? undefined : await submit(page, admin.members.update(ref, { role }, ifVersion(version)))
  if (result?.ok || (result !== undefined && result.form.status !== 412)) return result
  const conflict = `Someone else has changed the role of ${stored.name}. Nothing was saved.`
  return { ok: false, form: refusedForm(form, {}, 412, conflict) }
}
