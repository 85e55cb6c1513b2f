/** Labels in brackets and braces, and those of arrows, without quotes. */
const LABEL = /(\[|\{|\|)([^[\]{}|"\n]+)(\]|\}|\|)/g;
const PAIRS: Record<string, string> = { '[': ']', '{': '}', '|': '|' };
/** Forms of nodes: databases, stadiums, slanted ones. */
const FORM = /^(?:\(.*\)|[/\\].*[/\\]|>.*)$/;
const PLAIN = /^[\p{L}\p{N}\s_.,!?'-]*$/u;

/** A flowchart whose labels have quotes, which those with brackets and other signs of its syntax need. */
export function withQuotedLabels(source: string): string {
  if (!/^\s*(?:---[^]*?---\s*)?(?:graph|flowchart)\b/.test(source)) return source;
  return source.replace(LABEL, (whole, open: string, label: string, close: string) => {
    const isLabel = PAIRS[open] === close && !FORM.test(label.trim()) && !PLAIN.test(label);
    return isLabel ? `${open}"${label.trim()}"${close}` : whole;
  });
}
