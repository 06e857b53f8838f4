import type { IconName } from '../icon-names.ts'
import { useView } from '../view-context.ts'

/** One icon; it says nothing by itself, so words stand beside it or in the `aria-label` of what it is in. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${useView().asset('icons.svg')}#${name}`} />
    </svg>
  )
}
