import { estimateTokens } from '../../../providers/token-estimate.js';
import { CUT_MARK, cutWithMark, fairShare } from './tokens.js';

/** Text of an attached document. */
export interface PromptDocument {
  name: string;
  text: string;
}

interface QuotedDocuments {
  /** The text of the message, with the documents below it. */
  text: string;
  /** Documents of which a part is left out. */
  cut: number;
  /** Documents that are left out as a whole. */
  omitted: number;
}

const quote = (name: string, text: string): string => `Attached document ${JSON.stringify(name)}:\n"""\n${text}\n"""`;

/**
 * Adds documents below a text within a number of tokens. The longest documents are cut first, to the same length each.
 * Documents whose quotation alone does not fit are omitted, the last ones first.
 */
export function withDocuments(text: string, documents: readonly PromptDocument[], tokens: number): QuotedDocuments {
  const kept: PromptDocument[] = [];
  let room = tokens;
  for (const document of documents) {
    const overhead = estimateTokens(quote(document.name, CUT_MARK));
    if (overhead > room) break;
    room -= overhead;
    kept.push(document);
  }
  const share = fairShare(
    kept.map((document) => estimateTokens(document.text)),
    room,
  );
  let cut = 0;
  const quoted = kept.map((document) => {
    const shown = cutWithMark(document.text, share);
    if (shown !== document.text) cut += 1;
    return quote(document.name, shown);
  });
  return { text: [text, ...quoted].filter(Boolean).join('\n\n'), cut, omitted: documents.length - kept.length };
}
