import type { ErrorGroup } from '@service/client/admin'
import { Badge, type Tone } from '../../ui/components/badge.tsx'
import { words } from '../../ui/format.ts'

/** What an error is called in a list. */
export const titleOf = ({ exception, message }: Pick<ErrorGroup, 'exception' | 'message'>): string =>
  exception ?? message ?? 'Error without words'

const tones: Readonly<Record<string, Tone>> = {
  warning: 'warn',
  notice: 'info',
  info: 'info',
  debug: 'mute',
  trace: 'mute',
}

export const Level = ({ level }: { readonly level: string | null }) =>
  level === null ? null : <Badge tone={tones[level] ?? 'bad'}>{words(level)}</Badge>
