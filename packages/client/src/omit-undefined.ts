/** Leaves out what is undefined: an optional field that is not known is not there, and no log shows it. */
export const omitUndefined = <Fields extends object>(fields: Fields) =>
  // `as`: what is left of the entries is what the type says.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
