/** Characters of a quote in an address: proxies refuse addresses of 8,000. */
const QUOTE_MAX = 5_000;

/** A quote for an address, in which a character of other scripts takes nine. One that is cut ends with an ellipsis. */
export function addressQuote(quote: string): string {
  const characters = [...quote];
  let length = 0;
  const end = characters.findIndex((character) => (length += encodeURIComponent(character).length) > QUOTE_MAX);
  return end === -1 ? quote : `${characters.slice(0, end).join('')}…`;
}
