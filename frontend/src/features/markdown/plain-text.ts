import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { LineMender } from './meant/line-mender';
import { INLINE, NEUTRAL } from './meant/tags';

/** Tags that are shown as what they mean. */
const SHOWN_TAGS = new RegExp(`</?(?:${[...INLINE, ...NEUTRAL].join('|')}|a|details|summary)(?:\\s[^<>]*)?>`, 'gi');

/** Converts Markdown to plain text for screen readers and the search, with the lines that the page shows. */
export function plainText(markdown: string): string {
  try {
    return textOf(new Lexer().lex(new LineMender().mend(markdown.replace(/\r\n?/g, '\n'), true))).trim();
  } catch {
    // Deep nesting overflows the lexer's stack.
    return markdown;
  }
}

function textOf(tokens: readonly Token[] = []): string {
  return (tokens as MarkedToken[]).map(tokenText).join('');
}

function tokenText(token: MarkedToken): string {
  switch (token.type) {
    case 'space':
    case 'hr':
    case 'def':
    case 'checkbox':
      return '';
    case 'br':
      return '\n';
    case 'code':
      return `${token.text}\n`;
    case 'html':
      return token.block ? `${htmlText(token.raw.trim()).trimEnd()}\n` : htmlText(token.raw);
    case 'list':
      return token.items.map((item, index) => numberOf(token, index) + itemText(item)).join('');
    case 'heading':
    case 'paragraph':
      return `${textOf(token.tokens).trimEnd()}\n`;
    case 'table':
      return [token.header, ...token.rows].map(rowText).join('');
    case 'text':
      return token.tokens ? textOf(token.tokens) : token.text;
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return textOf(token.tokens);
    default:
      return token.text;
  }
}

/** HTML as it is shown: tags that mean a look have gone, and all others are text. */
const htmlText = (html: string): string => html.replace(/<br[ \t]*\/?>/gi, '\n').replace(SHOWN_TAGS, '');

function numberOf({ ordered, start }: Tokens.List, index: number): string {
  return ordered ? `${Number(start) + index}. ` : '';
}

function itemText({ tokens }: Tokens.ListItem): string {
  const lines = (tokens as MarkedToken[]).map((token) => tokenText(token).trimEnd());
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

function rowText(cells: readonly Tokens.TableCell[]): string {
  return `${cells.map(({ tokens }) => textOf(tokens)).join(', ')}\n`;
}
