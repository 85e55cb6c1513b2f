/** Dots between a heading and its page. */
const LEADER = /\.(?: ?\.){3,}/g;

const PAGE = /^ ?(?:\d{1,4}|[ivxlc]{1,7})(?![\p{L}\p{N}])/u;

/** Characters of a text with its pages. */
const PAGE_LENGTH = 9;

/** Entries from which a text is a table of contents, and characters of each at most. */
const LEAST_ENTRIES = 3;
const ENTRY_LENGTH = 250;

/** Whether a text is a table of contents or an index: lines such as `2.1 Paging ........ 15`. */
export function isContents(text: string): boolean {
  let entries = 0;
  for (const { 0: leader, index } of text.matchAll(LEADER)) {
    const end = index + leader.length;
    if (PAGE.test(text.slice(end, end + PAGE_LENGTH))) entries += 1;
  }
  return entries >= LEAST_ENTRIES && text.length <= entries * ENTRY_LENGTH;
}
