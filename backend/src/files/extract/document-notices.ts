import type { FileNotice } from '@tanya/contract';
import type { DocumentFacts } from '../formats/sections.js';

/** Notices about what a reader has found out beside the text. */
export function noticesOfFacts(facts: DocumentFacts): FileNotice[] {
  const { kind, isNamedOtherwise, encoding, isDamaged, embeddedLeft = 0, pagesLeft = 0 } = facts;
  const notices: FileNotice[] = [];
  if (isDamaged && pagesLeft === 0) notices.push({ code: 'text_damaged' });
  if (pagesLeft > 0) notices.push({ code: 'pages_too_complex', params: { count: pagesLeft } });
  if (embeddedLeft > 0) notices.push({ code: 'embedded_unread', params: { count: embeddedLeft } });
  if (encoding !== undefined) notices.push({ code: 'encoding_guessed', params: { encoding } });
  if (isNamedOtherwise && kind !== undefined) notices.push({ code: 'named_otherwise', params: { kind } });
  return notices;
}
