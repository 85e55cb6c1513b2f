import type { ReactNode } from 'react';
import { ADDRESS_END } from './addresses';
import { CodeBlock } from './code/code-block';
import { MessageLink } from './message-link';

const FENCED = /^ {0,3}(`{3,}|~{3,})([^\n`~]*)\n([^]*?)(?:^ {0,3}\1[`~]*[ \t]*$\n?|(?![^]))/gm;
const ADDRESS = /(?<![\w/@.-])(?:https?:\/\/|www\.)[^\s<>]+/gi;

/** Code in fences, and the text between, as they were typed. */
export default function TypedMessage({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  const addText = (until: number) => {
    const between = text.slice(end, until).replace(/\n$/, '');
    if (between.trim() === '') return;
    parts.push(
      <p key={parts.length} dir="auto" className="plain">
        <LinkedText text={between} />
      </p>,
    );
  };
  for (const match of text.matchAll(FENCED)) {
    addText(match.index);
    end = match.index + match[0].length;
    const [, , info = '', code = ''] = match;
    const [language = ''] = info.trim().split(/\s/);
    parts.push(<CodeBlock key={parts.length} code={code.replace(/\n$/, '')} language={language} closed />);
  }
  addText(text.length);
  return parts;
}

/** Text with links at its web addresses. */
function LinkedText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutStops(match[0]);
    if (!/[^:/.]/.test(address.replace(/^(?:https?|www)/i, ''))) continue;
    parts.push(text.slice(end, match.index));
    parts.push(
      <MessageLink key={match.index} href={/^www/i.test(address) ? `http://${address}` : address}>
        {address}
      </MessageLink>,
    );
    end = match.index + address.length;
  }
  return [...parts, text.slice(end)];
}

/** An address without the punctuation after it. A closing bracket belongs to it only if it has the opening one. */
function withoutStops(found: string): string {
  const cut = found.search(ADDRESS_END);
  const address = cut === -1 ? found : found.slice(0, cut);
  let unpaired = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!;
    if (last === ')' ? unpaired <= 0 : !/[?!.,:;*_~'"\]}|]/.test(last)) break;
    if (last === ')') unpaired -= 1;
  }
  return address.slice(0, end);
}
