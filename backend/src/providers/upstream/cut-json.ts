/**
 * Closes a JSON text that was cut inside a string: the string ends where the cut fell, then every list and object around
 * it. What was cut elsewhere, or never was JSON, comes back as something that JSON.parse refuses.
 *
 * @param start the beginning of the text, in any length
 */
export function closeCutJson(start: string): string {
  const closers: string[] = [];
  const marks = /["{}[\]]/g;
  for (let mark = marks.exec(start); mark; mark = marks.exec(start)) {
    if (mark[0] === '{') closers.push('}');
    else if (mark[0] === '[') closers.push(']');
    else if (mark[0] !== '"') closers.pop();
    else {
      const end = endOfString(start, marks.lastIndex);
      if (end === -1) return `${withoutCutEscape(start)}"${closers.reverse().join('')}`;
      marks.lastIndex = end + 1;
    }
  }
  return start;
}

/** Where the quote is that ends a string, -1 where none does. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && text[quote - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

/** The last escape may have lost its end; the few characters it stands for are past every reader's limit anyway. */
function withoutCutEscape(text: string): string {
  const tail = text.slice(-6);
  const escape = tail.lastIndexOf('\\');
  if (escape === -1) return text;
  let end = text.length - tail.length + escape;
  while (text[end - 1] === '\\') end -= 1;
  return text.slice(0, end);
}
