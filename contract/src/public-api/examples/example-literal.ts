type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** How a language writes a value. */
interface LiteralStyle {
  property(name: string): string;
  boolean(value: boolean): string;
  indent: string;
  /** Comma behind the last entry of a list over several lines. */
  lastComma: string;
}

/** A short value stands on one line. */
const LINE = 70;

function literal(value: Json, style: LiteralStyle, depth: number): string {
  if (typeof value === 'boolean') return style.boolean(value);
  // A JSON string is also a valid string literal of JavaScript and Python.
  if (typeof value !== 'object') return JSON.stringify(value);
  const entriesAt = (next: number): string[] =>
    isList(value)
      ? value.map((entry) => literal(entry, style, next))
      : Object.entries(value).map(([name, entry]) => `${style.property(name)}: ${literal(entry, style, next)}`);
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  const padding = isList(value) || style.property('a') === '"a"' ? '' : ' ';
  const line = `${open}${padding}${entriesAt(depth + 1).join(', ')}${padding}${close}`;
  if (line.length <= LINE && !line.includes('\n')) return line;
  const inner = style.indent.repeat(depth + 1);
  const lines = entriesAt(depth + 1).map((entry) => inner + entry);
  return `${open}\n${lines.join(',\n')}${style.lastComma}\n${style.indent.repeat(depth)}${close}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

const JSON_STYLE: LiteralStyle = { property: JSON.stringify, boolean: String, indent: '  ', lastComma: '' };

const JAVASCRIPT_STYLE: LiteralStyle = {
  ...JSON_STYLE,
  property: (name) => (isName(name) ? name : JSON.stringify(name)),
  lastComma: ',',
};

const PYTHON_STYLE: LiteralStyle = {
  ...JSON_STYLE,
  boolean: (value) => (value ? 'True' : 'False'),
  indent: '    ',
  lastComma: ',',
};

/** A value as JSON. @param depth levels by which its further lines are indented */
export const jsonText = (value: object, depth = 0): string => literal(value as Json, JSON_STYLE, depth);

/** A value in JavaScript. @param depth levels by which its further lines are indented */
export const javascriptText = (value: unknown, depth = 0): string => literal(value as Json, JAVASCRIPT_STYLE, depth);

/** A value in Python. @param depth levels by which its further lines are indented */
export const pythonText = (value: unknown, depth = 0): string => literal(value as Json, PYTHON_STYLE, depth);
