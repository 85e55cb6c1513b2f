import { CLIENT_JSON } from '../../src/platform/json/json-scan.js';
import { entries, type WorstBody, worstValues } from './worst-bodies.js';
import { repeated, texts } from './worst-texts.js';

const json = (content: string): Buffer => Buffer.from(JSON.stringify({ content }));

/** Bodies of `POST /api/chat/message`, whose `content` is JSON within a text of the JSON. */
export function contentBodies(bytes: number): WorstBody[] {
  const inside = worstValues(1_000_000, CLIENT_JSON.values);
  const fields = ['attachments', 'text', 'imageData', 'fileName', 'unknown'];
  const chosen = [
    'a list of numbers',
    'a list of empty objects',
    'a list of 20,000 empty objects',
    'an object of 20,000 distinct keys',
    'an object of distinct keys',
    '10000 lists in one another',
    'objects of depth 30',
    'a text of escaped zeros',
  ];
  const nestedValues = fields.flatMap((field) =>
    chosen.map((name) => ({
      input: `content with ${field}: ${name}, 1 MB`,
      build: () => json(`{"text":"a","${field}":${inside[name]!()}}`),
    })),
  );
  const room = bytes - 200;
  const list = (entry: string, most = Infinity) =>
    `{"text":"a","attachments":[${entries(() => entry, room / 2, most)}]}`;
  const url = (type: string, length: number) => `data:${type};base64,${repeated('QUJD')(length)}`;
  const large = {
    'content with 2,000,000 attachments {}': () => json(list('{}', 2_000_000)),
    'content with attachments of 1 up to the bound': () => json(list('1')),
    'content with attachments of distinct ids': () =>
      json(
        `{"text":"a","attachments":[${entries((index) => `{"fileId":"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"}`, room / 1.3)}]}`,
      ),
    'content of 500,000 lists in one another': () =>
      json(`{"text":"a","x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
    'content with 1,000,000 fields': () =>
      json(`{"text":"a",${entries((index) => `"k${index}":1`, room / 2, 1_000_000)}}`),
    'a field of 24 MB beside content': () => Buffer.from(`{"content":"a","x":"${texts.letters!(room)}"}`),
    'a list of {} of 24 MB beside content': () => Buffer.from(`{"content":"a","x":[${entries(() => '{}', room)}]}`),
    'plain content of 24 MB': () => json(texts.letters!(room)),
    'plain content of 24 MB in Japanese': () => json(texts['Japanese letters']!(room)),
    'plain content of escaped zeros, 24 MB': () => Buffer.from(`{"content":"${texts['escaped zeros']!(room)}"}`),
    'content with text of 24 MB': () => json(JSON.stringify({ text: texts.letters!(room) })),
    'three data URLs that fill the bound': () =>
      json(
        JSON.stringify({
          text: 'a',
          imageData: url('image/png', 6_900_000),
          audioData: url('audio/mpeg', 8_000_000),
          fileUrl: url('application/pdf', 8_000_000),
        }),
      ),
    'a data URL of a document of 10 MB': () =>
      json(JSON.stringify({ text: 'a', fileUrl: url('text/plain', 13_900_000), fileName: 'a.txt' })),
    'a data URL that is escaped throughout': () =>
      Buffer.from(
        `{"content":"{\\"text\\":\\"a\\",\\"fileUrl\\":\\"data:text/plain;base64,${repeated('\\\\u0041')(room - 100)}\\"}"}`,
      ),
    'a data URL of percent signs': () =>
      json(JSON.stringify({ text: 'a', fileUrl: `data:text/plain,${repeated('%41')(room / 2)}` })),
    'a data URL with a type of 20 MB': () =>
      json(JSON.stringify({ text: 'a', fileUrl: `data:${repeated('a;b=c')(20_000_000)},x` })),
    'a file name of 24 MB': () =>
      json(JSON.stringify({ text: 'a', fileUrl: 'data:text/plain,a', fileName: repeated('../')(room) })),
    'an image URL of 24 MB of blanks': () => json(JSON.stringify({ text: 'a', imageData: texts.blanks!(room) })),
  };
  return [...nestedValues, ...Object.entries(large).map(([input, build]) => ({ input, build }))];
}
