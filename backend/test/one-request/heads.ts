/** Heads of requests that Node admits: 16 KB with all headers. */
const ROOM = 15_000;

const repeatTo = (piece: string, room = ROOM) => piece.repeat(Math.floor(room / piece.length));

const keys = (entry: (index: number) => string): string => {
  let text = '';
  for (let index = 0; text.length < ROOM - 20; index += 1) text += entry(index);
  return text.slice(0, -1);
};

/** Query strings. */
export const QUERIES: Record<string, string> = {
  'many keys in the query': keys((index) => `${index.toString(36)}&`),
  'one key often in the query': repeatTo('limit=1&'),
  'nested keys in the query': `a${repeatTo('[b]')}=1`,
  'escapes in the query': `query=${repeatTo('%41')}`,
  'a long text in the query': `query=${repeatTo('a')}`,
  'blanks and quotes in the query': `query=x${repeatTo('+%22+')}x`,
  'digits in the query': `limit=${repeatTo('9')}&before=${'9'.repeat(50)}`,
};

/** Headers of a request. */
export const HEADERS: Record<string, Record<string, string>> = {
  'many cookies': { cookie: keys((index) => `${index.toString(36)}=1;`) },
  'one long cookie': { cookie: `tanya.sid=${repeatTo('a')}` },
  'escapes in a cookie': { cookie: `tanya.guest=${repeatTo('%41')}` },
  'many addresses': { 'x-forwarded-for': repeatTo('1.1.1.1,') },
  'one long address': { 'x-forwarded-for': repeatTo('1') },
  'many languages': { 'accept-language': repeatTo('aa;q=0.1,') },
  'many types': { accept: repeatTo('a/b;q=0.1,') },
  'many encodings': { 'accept-encoding': repeatTo('gzip;q=0.1,') },
  'many ranges': { range: `bytes=${repeatTo('0-1,')}` },
  'many tags': { 'if-none-match': repeatTo('"a",') },
  'a long key': { authorization: `Bearer ${repeatTo('a')}` },
  'blanks in a key': { authorization: `Bearer${repeatTo(' ')}x` },
  'a long type': { 'content-type': `application/json;${repeatTo('a="b";')}` },
  'an open type': { 'content-type': `application/json;${repeatTo('a="\\')}` },
  'a long request id': { 'x-request-id': repeatTo('a') },
  'a long idempotency key': { 'idempotency-key': repeatTo('a') },
  'a long origin': { origin: `https://${repeatTo('a.')}` },
  'a long trace': { traceparent: repeatTo('00-'), tracestate: repeatTo('a=b,', 200) },
};
