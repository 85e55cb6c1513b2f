/** Labels in brackets and braces, and those of arrows. */
const LABEL = /(\[|\{|\|)([^[\]{}|\n]+)(\]|\}|\|)/g;
const PAIRS: Record<string, string> = { '[': ']', '{': '}', '|': '|' };
/** Forms of nodes: databases, stadiums, slanted ones. */
const FORM = /^(?:\(.*\)|[/\\].*[/\\]|>.*)$/;
/** Labels that need no quotes, or have them. */
const PLAIN = /^(?:[\p{L}\p{N}\s_.,!?'-]*|"[^"]*")$/u;
/** A label of a round node, with round brackets inside. */
const ROUND = /(?<=\w)\(([^()[\]{}"|\n]{0,200}[^()[\]{}"|\s]\s?\([^()"\n]{0,200}\)[^()[\]{}"|\n]{0,200})\)/g;
/** A remark behind a line, where only whole lines may be one. Behind it no label ends, so it stands in none. */
const REMARK = /[ \t](?:%%|\/\/)[ \t][^"\]}|\n]{0,200}$/gm;

/** A flowchart whose labels have quotes, which those with brackets and other signs of its syntax need. */
export function withQuotedLabels(source: string): string {
  if (!/^\s*(?:---[^]*?---\s*)?(?:graph|flowchart)\b/.test(source)) return source;
  return source
    .replace(REMARK, '')
    .replace(ROUND, '("$1")')
    .replace(LABEL, (whole, open: string, label: string, close: string) => {
      const text = label.trim();
      const isLabel = PAIRS[open] === close && !FORM.test(text) && !PLAIN.test(text);
      return isLabel ? `${open}"${text.replaceAll('"', '#quot;')}"${close}` : whole;
    });
}

/** What follows a semicolon that ends a statement: another one, or nothing. */
const STATEMENT = /^[ \t]*(?:$|[\w ]{1,40}(?:<<)?--?(?:>|x|\))|(?:note|activate|deactivate|loop|alt|opt|par|end)\b)/i;

/** A sequence diagram whose texts have semicolons, which otherwise end a statement. Entities such as `#35;` stay. */
export function withSemicolons(source: string): string {
  if (!/^\s*(?:---[^]*?---\s*)?sequenceDiagram\b/.test(source)) return source;
  return source.replace(/^.+$/gm, (line) => {
    const text = line.indexOf(':') + 1;
    return line.replace(/(#\w{1,20})?;/g, (whole, entity: string | undefined, at: number) => {
      const isText = text > 0 && at >= text && !entity && !STATEMENT.test(line.slice(at + 1));
      return isText ? '#59;' : whole;
    });
  });
}
