import { errorConditionFields, ruleTriggers, ticketConditionFields } from '@service/contract/admin/automation-input'
import { priorities, ticketStatuses } from '@service/contract/values'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import {
  FieldError,
  Form,
  FormFoot,
  type Option,
  SelectField,
  Suggestions,
  TextField,
  wordOptions,
} from '../../ui/components/form.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, firstInvalid } from '../../ui/forms.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { maxNames } from '../../ui/resource/fields.tsx'
import { type ActionType, actionFields, type Draft, isActionType, multilineFields, operators } from './rule-draft.ts'
import { actionLabels, fieldLabel, type Names, operatorLabels, recordsOf, triggerLabels } from './rule-labels.ts'

interface FormProps {
  readonly page: WorkspacePage
  readonly action: string
  readonly draft: Draft
  readonly state: FormState
  readonly names: Names
  readonly version: string | undefined
  readonly isStored: boolean
  /** The pressed button. Its row gets the focus. */
  readonly pressed: string | undefined
}

export function RuleForm({ page, action, draft, state, names, version, isStored, pressed }: FormProps) {
  const isFresh = pressed === undefined && draft.name === ''
  return (
    <Form action={action} state={state} version={version}>
      {/* Enter in a field presses the first button of a form, and that must not remove a row. */}
      <button type="submit" name="do" value="save" hidden>
        Save
      </button>
      <input type="hidden" name="condition_count" value={draft.conditions.length} />
      <input type="hidden" name="action_count" value={draft.actions.length} />
      <TextField name="name" label="Name" state={state} autofocus={isFresh} />
      {isStored ? (
        <p>
          <strong>When:</strong> {triggerLabels[draft.trigger as keyof typeof triggerLabels]}
        </p>
      ) : (
        <SelectField
          name="trigger"
          label="When"
          options={triggers}
          hint="Changes that a rule makes while a ticket is created are part of its creation. They do not count as an update."
          state={state}
        />
      )}
      <Conditions draft={draft} state={state} names={names} pressed={pressed} />
      <Actions draft={draft} state={state} names={names} pressed={pressed} />
      <FormFoot>
        <Button variant="primary" name="do" value="save">
          {isStored ? 'Save' : 'Create rule'}
        </Button>
        <Button id="try" name="do" value="try" icon="flask-conical">
          Try it
        </Button>
        <LinkButton href={page.link('/automation')} variant="quiet">
          Cancel
        </LinkButton>
      </FormFoot>
    </Form>
  )
}

const triggers = ruleTriggers.map((value) => ({ value, label: triggerLabels[value] }))

/** The fields that conditions can use with each trigger. */
const fieldsByTrigger = new Map<string, readonly string[]>([
  ['ticket_updated', [...ticketConditionFields, 'changed']],
  ['sla_breached', [...ticketConditionFields, 'sla']],
  ['error_reported', [...ticketConditionFields, ...errorConditionFields]],
])

interface RowsProps {
  readonly draft: Draft
  readonly state: FormState
  readonly names: Names
  readonly pressed: string | undefined
}

/** A group of rows has the focus if it is the first with an error, and the error is not that of one control. */
function groupProps(state: FormState, name: 'conditions' | 'actions') {
  const problem = state.problems.find(({ field }) => field === name)
  return {
    id: `field-${name}`,
    tabindex: -1,
    ...(problem === undefined ? {} : { 'aria-describedby': `error-${name}` }),
    ...(firstInvalid(state) === name && !/\.\d+\.\w+$/.test(problem?.path ?? '') ? { autofocus: true } : {}),
  }
}

/** A control of a row, at its path in the rule. */
function rowProps(state: FormState, name: 'conditions' | 'actions', at: string) {
  const path = `${name}.${at}`
  if (!state.problems.some((problem) => problem.path === path)) return {}
  const isFirst = firstInvalid(state) === name && state.problems.find(({ field }) => field === name)?.path === path
  const error = `error-${name}-${at.split('.', 1)}`
  return { 'aria-invalid': 'true' as const, 'aria-describedby': error, ...(isFirst && { autofocus: true }) }
}

interface ErrorProps {
  readonly name: 'conditions' | 'actions'
  readonly state: FormState
}

/** The error of a list as a whole. */
const ListError = ({ name, state }: ErrorProps) =>
  state.problems.some(({ path }) => path === name) && <FieldError name={name} state={state} />

/** The errors of a row. */
function RowError({ name, row, state }: ErrorProps & { readonly row: number }) {
  const problems = state.problems.filter(({ path }) => path.startsWith(`${name}.${row}.`))
  if (problems.length === 0) return null
  return (
    <p class="field-error" id={`error-${name}-${row}`}>
      <Icon name="circle-alert" />
      {problems.map(({ sentence }) => sentence.replace(`The ${name} field`, 'This field')).join(' ')}
    </p>
  )
}

/** Values that a condition on a field often has. */
function suggestionsOf(field: string, names: Names): readonly string[] {
  if (field === 'status') return ticketStatuses.map(words)
  if (field === 'priority') return priorities
  return [...(recordsOf(field, names)?.values() ?? [])].slice(0, maxNames)
}

function Conditions({ draft, state, names, pressed }: RowsProps) {
  state.labels.set('conditions', 'Which tickets')
  return (
    <fieldset class="field rows" {...groupProps(state, 'conditions')}>
      <legend>Which tickets</legend>
      <ListError name="conditions" state={state} />
      {draft.conditions.length === 0 && <p class="hint">Without conditions, the rule applies to every ticket.</p>}
      {draft.conditions.length > 1 && <SelectField name="match" label="Of these" options={matches} state={state} />}
      {draft.conditions.map(({ field }, row) => (
        <div class="builder-row">
          <input type="hidden" name={`condition_${row}_field`} value={field} />
          <span class="builder-name">{fieldLabel(field)}</span>
          <select
            class="select"
            name={`condition_${row}_operator`}
            id={`field-condition_${row}_operator`}
            aria-label={`${fieldLabel(field)}: operator`}
            autofocus={pressed === 'add_condition' && row === draft.conditions.length - 1}
          >
            {operators.map((operator) => (
              <option value={operator} selected={state.text(`condition_${row}_operator`) === operator}>
                {operatorLabels[operator]}
              </option>
            ))}
          </select>
          <input
            class="input"
            name={`condition_${row}_value`}
            id={`field-condition_${row}_value`}
            value={state.text(`condition_${row}_value`)}
            aria-label={`${fieldLabel(field)}: value`}
            autocomplete="off"
            list={suggestionsOf(field, names).length > 0 ? `suggestions-${field}` : undefined}
            {...rowProps(state, 'conditions', `${row}.value`)}
          />
          <RemoveButton what="condition" row={row} />
          <RowError name="conditions" row={row} state={state} />
        </div>
      ))}
      {[...new Set(draft.conditions.map(({ field }) => field))].map((field) => (
        <Suggestions id={`suggestions-${field}`} values={suggestionsOf(field, names)} />
      ))}
      <AddButton
        what="condition"
        options={(fieldsByTrigger.get(draft.trigger) ?? ticketConditionFields).map((value) => ({
          value,
          label: fieldLabel(value),
        }))}
        label="Condition on"
      />
    </fieldset>
  )
}

const matches = [
  { value: 'all', label: 'All conditions match' },
  { value: 'any', label: 'Any condition matches' },
]

function Actions({ draft, state, names, pressed }: RowsProps) {
  state.labels.set('actions', 'Action')
  return (
    <fieldset class="field rows" {...groupProps(state, 'actions')}>
      <legend>What happens to them</legend>
      <ListError name="actions" state={state} />
      {draft.actions.map(({ type }, row) => {
        const isNew = pressed === 'add_action' && row === draft.actions.length - 1
        return (
          isActionType(type) && (
            <div class="builder-row">
              <input type="hidden" name={`action_${row}_type`} value={type} />
              <span class="builder-name">{actionLabels[type]}</span>
              <ActionFields type={type} row={row} state={state} names={names} isNew={isNew} />
              <RemoveButton what="action" row={row} />
              <RowError name="actions" row={row} state={state} />
            </div>
          )
        )
      })}
      <AddButton what="action" options={actionOptions} label="Action" />
    </fieldset>
  )
}

const actionOptions = Object.entries(actionLabels).map(([value, label]) => ({ value, label }))

interface ActionProps {
  readonly type: ActionType
  readonly row: number
  readonly state: FormState
  readonly names: Names
  readonly isNew: boolean
}

function ActionFields({ type, row, state, names, isNew }: ActionProps) {
  return (
    <>
      {actionFields[type].map((field, index) => {
        const name = `action_${row}_${field}`
        const common = {
          name,
          id: `field-${name}`,
          'aria-label': `${actionLabels[type]}: ${words(field).toLowerCase()}`,
          ...(isNew && index === 0 ? { autofocus: true } : {}),
          ...rowProps(state, 'actions', `${row}.${field}`),
        }
        if (multilineFields.includes(field))
          return (
            <textarea class="input textarea" rows={3} placeholder={placeholders[field]} dir="auto" {...common}>
              {state.text(name)}
            </textarea>
          )
        const options = withStored(optionsOf(field, names), field, state.text(name))
        return options === undefined ? (
          <input
            class="input"
            {...common}
            value={state.text(name)}
            placeholder={placeholders[field]}
            autocomplete="off"
          />
        ) : (
          <select class="select" {...common}>
            {options.map(({ value, label }) => (
              <option value={value} selected={state.text(name) === value}>
                {label}
              </option>
            ))}
          </select>
        )
      })}
    </>
  )
}

const placeholders: Readonly<Record<string, string>> = { title: 'Look at {{ticket_number}}', body: '{{title}}' }

/** The options of a field that has a fixed list. */
function optionsOf(field: string, { people, channels }: Names): readonly Option[] | undefined {
  const named = (names: ReadonlyMap<number, string>) => [...names].map(([id, label]) => ({ value: String(id), label }))
  if (field === 'user_id' || field === 'assigned_to') return [{ value: '', label: 'Unassigned' }, ...named(people)]
  if (field === 'channel_id') return named(channels)
  if (field === 'priority') return wordOptions(priorities)
  return field === 'status' ? wordOptions(ticketStatuses) : undefined
}

const goneLabels: Readonly<Record<string, string>> = {
  user_id: 'A former member',
  assigned_to: 'A former member',
  channel_id: 'A deleted channel',
}

/** Keeps a stored value that is no option any more, so that saving another field does not change it. */
function withStored(options: readonly Option[] | undefined, field: string, value: string) {
  if (options === undefined || value === '' || options.some((option) => option.value === value)) return options
  const label = goneLabels[field] ?? words(value)
  return [{ value, label }, ...options]
}

function RemoveButton({ what, row }: { readonly what: 'condition' | 'action'; readonly row: number }) {
  return (
    <Button
      id={`remove-${what}-${row}`}
      name="do"
      value={`remove_${what}:${row}`}
      variant="quiet"
      icon="x"
      label={`Remove the ${what} ${row + 1}`}
    />
  )
}

interface AddProps {
  readonly what: 'condition' | 'action'
  readonly label: string
  readonly options: readonly Option[]
}

function AddButton({ what, label, options }: AddProps) {
  return (
    <div class="builder-row">
      <select class="select" name={`new_${what}`} id={`field-new_${what}`} aria-label={label}>
        {options.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </select>
      <Button id={`add-${what}`} name="do" value={`add_${what}`} icon="plus">
        Add {what}
      </Button>
    </div>
  )
}
