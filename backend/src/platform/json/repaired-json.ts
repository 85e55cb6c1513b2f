/** A text, which the end may cut, or a number of Python and JavaScript that JSON does not have. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/gs;

/** Characters that JSON refuses in a text without an escape. */
const CONTROLS = /\p{Cc}/gu;

/**
 * JSON of servers and models that is close to valid: `NaN` and `Infinity`, as Python writes them, become null, and control
 * characters within texts, such as the line ends in arguments that a model wrote, become escapes.
 */
export const repairedJson = (json: string): string =>
  json.replaceAll(TEXT_OR_NUMBER, (match) =>
    match.startsWith('"') ? match.replaceAll(CONTROLS, (control) => JSON.stringify(control).slice(1, -1)) : 'null',
  );
