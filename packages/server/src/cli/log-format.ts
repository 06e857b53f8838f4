import { toJsonLine, toTextLine } from '../core/log.ts'

/** Text for people at a terminal, JSON for everything else, unless SERVICE_LOG_FORMAT decides. */
export const logFormat = (
  given: 'text' | 'json' | undefined,
  { isTTY }: { readonly isTTY?: boolean } = process.stderr,
) => ((given ?? (isTTY === true ? 'text' : 'json')) === 'text' ? toTextLine : toJsonLine)
