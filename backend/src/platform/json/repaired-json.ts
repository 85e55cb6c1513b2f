/**
 * A text in the quotes of JSON or of Python, which the end may cut, a number or word of Python and JavaScript that JSON does not
 * have, a comma before the end of a list or an object, an escaped line end between values, or a name without quotes.
 */
const ODD =
  /"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)|-?\b(?:NaN|Infinity)\b|\b(?:True|False|None|undefined)\b|,(?=\s{0,100}[}\]])|\\[nrt]|[A-Za-z_$](?<=[{,]\s{0,100}.)[\w$]{0,100}(?=\s{0,100}:)/gs;

const WORDS: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  NaN: 'null',
  Infinity: 'null',
  '-NaN': 'null',
  '-Infinity': 'null',
  None: 'null',
  undefined: 'null',
  ',': '',
  '\\n': '',
  '\\r': '',
  '\\t': '',
};

/** What a text may have to be repaired for: an escape, or a character that JSON refuses without one. */
const UNUSUAL = /\\(?:u[\da-fA-F]{4}|[^]?)|\p{Cc}/gu;
const HAS_UNUSUAL = /[\\\p{Cc}]/u;
const OF_JSON = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;
/** Escapes of letters: of these, a text with a path may mean either. */
const OF_LETTERS = /\\[bfnrtux]/;

/**
 * JSON of servers and models that is close to valid, where it can mean one thing alone: `NaN` and `Infinity`, as Python writes
 * them, become null, its words and quotes those of JSON, names get quotes, a last comma is left out, and control characters
 * within texts, such as the line ends in arguments that a model wrote, become escapes.
 */
export const repairedJson = (json: string): string =>
  json.replaceAll(ODD, (match) => {
    if (match.startsWith('"')) return repairedText(match);
    if (match.startsWith("'")) return repairedText(inJsonQuotes(match));
    return WORDS[match] ?? `"${match}"`;
  });

/** A text of Python in the quotes of JSON. One that the end cuts stays so. */
const inJsonQuotes = (text: string): string =>
  text.replaceAll(/\\x([\da-fA-F]{2})|\\[^]|["']/g, (found, code: string | undefined) => {
    if (code !== undefined) return `\\u00${code}`;
    if (found === '"') return '\\"';
    return found === "'" ? '"' : found;
  });

/**
 * A text whose control characters are escaped. A backslash before what is no escape is itself, as in patterns and paths, unless
 * the text has escapes of letters too: there it may be either.
 */
function repairedText(text: string): string {
  if (!HAS_UNUSUAL.test(text)) return text;
  const mayDouble = !OF_LETTERS.test(text.replaceAll('\\\\', ''));
  return text.replaceAll(UNUSUAL, (found) => {
    if (found === "\\'") return "'";
    if (!found.startsWith('\\')) return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return mayDouble && found.length > 1 && !OF_JSON.test(found) ? `\\${found}` : found;
  });
}
