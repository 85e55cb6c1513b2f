/**
 * A statement whose parameters have names. Called with their values, it gives the arguments of `Statements.run` and of
 * TypeORM's `query`.
 */
export interface Statement<Parameters> {
  (parameters: Parameters): [text: string, values: unknown[]];
  readonly written: string;
  /** As Postgres receives it, with `$1`, `$2` and so on, in the order in which the names appear first. */
  readonly text: string;
}

/** A parameter, after the texts in which a colon begins none: strings, quoted names, comments, casts. */
const PARAMETER = /'[^']*'|"[^"]*"|--.*|\/\*[\s\S]*?\*\/|::|:([a-z]\w*)/gi;

/**
 * Prepares a statement once, where it is declared. `:owner` in it is the field `owner` of `Parameters`, with or without a
 * cast (`:ids::int[]`); `:` means nothing else, so slices of arrays and strings with escapes need another form.
 * @throws Error for a `$1` in the statement; when it is called, for a field that is missing
 */
export function statement<Parameters extends object>(written: string): Statement<Parameters> {
  const names: string[] = [];
  const text = written.replace(PARAMETER, (found, name: string | undefined) => {
    if (name === undefined) return found;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  if (/\$\d/.test(written)) throw new Error(`A parameter has no name in: ${written}`);
  const bind = (parameters: Parameters): [string, unknown[]] => {
    const values = parameters as Record<string, unknown>;
    const bound: unknown[] = [];
    for (const name of names) {
      const value = values[name];
      if (value === undefined) throw new Error(`The statement has no value for :${name}`);
      bound.push(value);
    }
    return [text, bound];
  };
  return Object.assign(bind, { written, text });
}
