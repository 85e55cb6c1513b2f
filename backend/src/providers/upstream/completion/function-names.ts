/** Characters of a name. */
const MAX_NAME = 200;

/** Marks of gpt-oss behind a name, which its server should have read, and the numbers of Kimi. */
const BEHIND_NAME = /(?:<\||:\d{1,3}$)[^]*$/;

/** A name without what servers leave around it. Some gateways send the text where others send null. */
export function nameIn(text: string): string {
  const name = text
    .slice(0, MAX_NAME)
    .trim()
    .replace(BEHIND_NAME, '')
    .replace(/^functions\./, '');
  return name === 'null' ? '' : name;
}

/** The names of the functions that the model may call. Some servers send the name of a call in pieces. */
export class FunctionNames {
  constructor(private readonly names: readonly string[]) {}

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
