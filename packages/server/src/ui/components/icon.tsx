import type { IconName } from '../icon-names.ts'
import { useView } from '../view-context.ts'

/** An icon, hidden from screen readers. Put text next to it, or an `aria-label` on its parent. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${useView().asset('icons.svg')}#${name}`} />
    </svg>
  )
}
