import type { Child } from 'hono/jsx'
import type { FormState } from '../forms.ts'
import { type PageResult, show, type WorkspacePage } from '../page-types.ts'
import { Button, LinkButton } from './button.tsx'
import { PageHead } from './card.tsx'
import { Form, FormFoot } from './form.tsx'

interface EditPage {
  /** In the singular, e.g. `task`. */
  readonly noun: string
  /** Where all of them are. */
  readonly list: { readonly label: string; readonly path: string }
  /** What is changed, as its page calls it; left out, a new one is made. */
  readonly edited: { readonly id: number; readonly name: string } | undefined
  readonly verb?: 'Edit' | 'Rename'
  /** `Edit task` unless told otherwise. */
  readonly heading?: string | undefined
  readonly state: FormState
  /** Of what is changed, so that nobody else's change is lost. */
  readonly version: string | undefined
  /** The fields. */
  readonly fields: Child
}

/** The form in which something of a workspace is made or changed; it is sent to the list or to the thing itself. */
export function editPage(
  page: WorkspacePage,
  { noun, list, edited, verb = 'Edit', heading, state, version, fields }: EditPage,
): PageResult {
  const own = page.link(edited === undefined ? list.path : `${list.path}/${edited.id}`)
  return show({
    title: edited === undefined ? `New ${noun}` : verb,
    status: state.status,
    crumbs: [
      { label: list.label, href: page.link(list.path) },
      ...(edited === undefined ? [] : [{ label: edited.name, href: own }]),
    ],
    body: (
      <>
        <PageHead title={edited === undefined ? `New ${noun}` : (heading ?? `${verb} ${noun}`)} />
        <Form action={own} state={state} version={version}>
          {fields}
          <FormFoot>
            <Button look="primary">{edited === undefined ? `Create ${noun}` : 'Save'}</Button>
            <LinkButton href={own} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}
