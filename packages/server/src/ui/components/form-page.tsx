import type { Child } from 'hono/jsx'
import type { FormState } from '../forms.ts'
import { type PageContent, type PageResult, show } from '../page-types.ts'
import { Button, LinkButton } from './button.tsx'
import { PageHead } from './card.tsx'
import { Form, FormFoot } from './form.tsx'

interface FormPage extends Pick<PageContent, 'title' | 'crumbs' | 'live'> {
  /** Defaults to the title. */
  readonly heading?: string
  /** A sentence below the heading. */
  readonly intro?: Child
  /** Buttons next to the heading. */
  readonly actions?: Child
  /** The form's action URL. */
  readonly action: string
  readonly cancel: string
  readonly state: FormState
  readonly version?: string | undefined
  readonly editingUrl?: string | undefined
  readonly fields: Child
  /** The label of the submit button. */
  readonly submitLabel: string
}

/** A page with a single form. */
export function formPage({
  title,
  crumbs,
  live = false,
  heading = title,
  intro,
  actions,
  ...form
}: FormPage): PageResult {
  const { action, cancel, state, version, editingUrl, fields, submitLabel } = form
  return show({
    title,
    crumbs,
    live,
    status: state.status,
    body: (
      <>
        <PageHead title={heading} actions={actions}>
          {intro}
        </PageHead>
        <Form action={action} state={state} version={version} editingUrl={editingUrl}>
          {fields}
          <FormFoot>
            <Button id="save" variant="primary">
              {submitLabel}
            </Button>
            <LinkButton href={cancel} variant="quiet">
              Cancel
            </LinkButton>
          </FormFoot>
        </Form>
      </>
    ),
  })
}
