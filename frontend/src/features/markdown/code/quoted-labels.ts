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
