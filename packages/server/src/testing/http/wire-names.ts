// Names are camelCase in code and snake_case on the wire; the test controls are where one becomes the other. What a test
// sends through them, or looks at in bodies, is never translated: only the names that are our own.

export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
export const toCamel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The same object with its own names, and not those of what is inside of it, in the spelling of the wire. */
export const toWire = (fields: object): Record<string, unknown> => renamed(fields, toSnake)

/** The same object with its own names in the spelling of our code. */
export const fromWire = (fields: object): Record<string, unknown> => renamed(fields, toCamel)

const renamed = (fields: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]))
