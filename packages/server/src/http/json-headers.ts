/** Of every JSON answer. Without `nosniff` a browser might take text that somebody has stored for a page or a script. */
export const jsonHeaders = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' } as const
