import type { Child } from 'hono/jsx'
import type { FormState } from '../forms.ts'
import { type PageResult, type Shown, show } from '../page-types.ts'
import { Button, LinkButton } from './button.tsx'
import { PageHead } from './card.tsx'
import { Form, FormFoot } from './form.tsx'

interface FormPage extends Pick<Shown, 'title' | 'crumbs'> {
  /** Defaults to the title. */
  readonly heading?: string
  /** A sentence below the heading. */
  readonly about?: Child
  /** Buttons next to the heading. */
  readonly actions?: Child
  /** The form's action URL. */
  readonly action: string
  readonly cancel: string
  readonly state: FormState
  readonly version?: string | undefined
  readonly fields: Child
  /** The label of the submit button. */
  readonly does: string
}

/** A page with a single form. */
export function formPage({ title, crumbs, heading = title, about, actions, ...form }: FormPage): PageResult {
  const { action, cancel, state, version, fields, does } = form
  return show({
    title,
    crumbs,
    status: state.status,
    body: (
      <>
        <PageHead title={heading} actions={actions}>
          {about}
        </PageHead>
        <Form action={action} state={state} version={version}>
          {fields}
          <FormFoot>
            <Button look="primary">{does}</Button>
            <LinkButton href={cancel} look="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}
