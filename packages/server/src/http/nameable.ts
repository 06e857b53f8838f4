const wholeNumber = /^\d{1,16}$/
const controlCharacter = /[\u0000-\u001f\u007f]/

/**
 * Whether the parameters of a path can be the name of something. What no column can hold names nothing that exists: a
 * number beyond 2^53, or a text with NUL, which PostgreSQL refuses as a parameter of a statement.
 */
export const isNameable = (parameters: Readonly<Record<string, string>>): boolean =>
  Object.entries(parameters).every(([name, value]) =>
    name === 'workspace' || name === 'id'
      ? wholeNumber.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER
      : !controlCharacter.test(value),
  )
