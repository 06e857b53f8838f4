/** Omits undefined fields, so that logs do not show unknown optional fields. */
export const omitUndefined = <Fields extends object>(fields: Fields) =>
  // `as`: the remaining entries have the declared types.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
