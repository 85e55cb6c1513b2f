/**
 * A text, which the end may cut, a number or word of Python and JavaScript that JSON does not have, or a comma before the end of a
 * list or an object.
 */
const ODD = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b|\b(?:True|False|None|undefined)\b|,(?=\s{0,100}[}\]])/gs;

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', ',': '' };

/** Characters that JSON refuses in a text without an escape. */
const CONTROLS = /\p{Cc}/gu;

/**
 * JSON of servers and models that is close to valid: `NaN` and `Infinity`, as Python writes them, become null, its words those of
 * JSON, a last comma is left out, and control characters within texts, such as the line ends in arguments that a model wrote,
 * become escapes.
 */
export const repairedJson = (json: string): string =>
  json.replaceAll(ODD, (match) =>
    match.startsWith('"')
      ? match.replaceAll(CONTROLS, (control) => JSON.stringify(control).slice(1, -1))
      : (WORDS[match] ?? 'null'),
  );
