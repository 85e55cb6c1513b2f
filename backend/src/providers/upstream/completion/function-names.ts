const MAX_NAME = 200;

/** Marks of gpt-oss behind a name, which its server should have read, and the numbers of Kimi. */
const BEHIND_NAME = /(?:<\||:\d{1,3}$)[^]*$/;

/** What models write before the name of a function, as before one of a library: `default_api.read` of Gemini. */
const BEFORE_NAME = /^[\w-]{1,64}[.:/]/;

/** A name without what servers leave around it. Some gateways send the text where others send null. */
export function nameIn(text: string): string {
  const name = text
    .slice(0, MAX_NAME)
    .trim()
    .replace(BEHIND_NAME, '')
    .replace(/^functions\./, '')
    .replace(/^(["'`])(.*)\1$/s, '$2');
  return name === 'null' ? '' : name;
}

/** The names of the functions that the model may call. Some servers send the name of a call in pieces. */
export class FunctionNames {
  constructor(private readonly names: readonly string[]) {}

  /** A name without that of a library before it, where that makes it the name of a function. */
  known(name: string): string {
    const plain = name.replace(BEFORE_NAME, '');
    return this.names.includes(plain) && !this.names.includes(name) ? plain : name;
  }

  /** Whether a name is the beginning of another one. */
  mayGoOn(name: string): boolean {
    return name !== '' && this.names.some((each) => each.length > name.length && each.startsWith(name));
  }

  /**
   * A name whose beginning alone has come, with its next piece, which may repeat the beginning.
   * @returns null for a piece that does not continue it
   */
  continued(beginning: string, piece: string): string | null {
    if (piece === beginning && this.names.includes(piece)) return null;
    return [beginning + piece, piece].find((name) => this.continues(name, beginning)) ?? null;
  }

  private continues(name: string, beginning: string): boolean {
    const isLonger = name.length > beginning.length && name.startsWith(beginning);
    return isLonger && this.names.some((each) => each.startsWith(name));
  }
}
