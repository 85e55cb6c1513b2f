import { bestSentence, type DemoPassage } from './demo-passages.js';

export interface DemoQuestion {
  text: string;
  /** Number of images, recordings and pages of documents as pictures. */
  attachments: number;
  /** Results of the tools that were called for this answer. */
  results?: { tool: string; result: string }[];
  /** Passages of the files of the chat's project; absent outside of projects. */
  passages?: DemoPassage[];
}

/** Both languages state that no model wrote the answer and where an admin sets a key. */
const ENGLISH = {
  title: 'About your question',
  asked: 'You asked:',
  general: 'A language model would answer this now. The demo shows what an answer looks like.',
  found: 'A tool of this server found it, which a model would now explain:',
  inFiles: 'The files of this project say, which a model would now explain:',
  notInFiles: 'No sentence of the files of this project has words of your question.',
  columns: ['Tool', 'Result'] as [string, string],
  attachments: 'Pictures, recordings and pages of documents that arrived: {count}. The demo cannot look at them.',
  tourTitle: 'What works already',
  tour: [
    'Reload the page while this is being written: the answer goes on where it was.',
    '**Stop** ends an answer and keeps what is there; **Regenerate** writes another version beside it.',
    'Tools run too: ask `What is (12 + 30) * 2?` or `What day is it?`',
    'Sign in to keep your chats, to search them and to get an API key.',
    'Attach images and documents, or draw a picture with **Create Image**.',
    'Add documents under **Projects** and ask about them: the answer cites the place.',
  ],
  noticeTitle: 'This is a demo answer',
  notice: [
    'No connection answers the chosen model, so no language model wrote this.',
    'An administrator sets a key under **Admin Menu → General Settings**, or a default model that a connection answers.',
    'Or start with `OPENROUTER_API_KEY` or `OPENAI_API_KEY` in the environment:',
  ],
};

type DemoTexts = typeof ENGLISH;

const INDONESIAN: DemoTexts = {
  title: 'Tentang pertanyaan Anda',
  asked: 'Anda bertanya:',
  general: 'Di sini model bahasa akan menjawab. Demo hanya menunjukkan bentuk sebuah jawaban.',
  found: 'Alat di server ini menemukannya; model akan menjelaskannya di sini:',
  inFiles: 'Kata file proyek ini; model akan menjelaskannya di sini:',
  notInFiles: 'Tidak ada kalimat di file proyek ini dengan kata dari pertanyaan Anda.',
  columns: ['Alat', 'Hasil'],
  attachments: 'Gambar, rekaman, dan halaman dokumen yang diterima: {count}. Demo tidak dapat membacanya.',
  tourTitle: 'Yang sudah berjalan',
  tour: [
    'Muat ulang halaman saat jawaban ditulis: jawaban berlanjut dari tempatnya.',
    '**Stop** menghentikan jawaban dan menyimpan yang ada; **Regenerate** menulis versi lain di sampingnya.',
    'Alat juga berjalan: tanyakan `Berapa (12 + 30) * 2?` atau `Hari apa sekarang?`',
    'Masuk untuk menyimpan percakapan, mencarinya, dan mendapat kunci API.',
    'Lampirkan gambar dan dokumen, atau buat gambar dengan **Create Image**.',
    'Tambahkan dokumen di **Proyek** dan tanyakan isinya: jawaban mengutip tempatnya.',
  ],
  noticeTitle: 'Ini jawaban demo',
  notice: [
    'Tidak ada koneksi yang menjawab untuk model yang dipilih, jadi ini bukan tulisan model bahasa.',
    'Administrator mengisi kunci di **Admin Menu → General Settings**, atau memilih model default yang dijawab sebuah koneksi.',
    'Atau jalankan dengan `OPENROUTER_API_KEY` atau `OPENAI_API_KEY` di environment:',
  ],
};

const ENVIRONMENT = '```bash\nOPENROUTER_API_KEY=sk-or-... npm start\n```';

const INDONESIAN_WORD = /\b(apa|bagaimana|mengapa|kenapa|siapa|berapa|tolong|buat|tulis|jelaskan|hitung|yang|halo)\b/i;

const QUOTED_CHARACTERS = 280;

/** The demo's answer in Markdown. It depends on the question alone. */
export function demoAnswer({ text, attachments, results = [], passages = [] }: DemoQuestion): string {
  const texts = INDONESIAN_WORD.test(text) ? INDONESIAN : ENGLISH;
  return [
    `## ${texts.title}`,
    texts.asked,
    quote(text),
    ...(results.length > 0 ? [texts.found, tableOf(texts.columns, results)] : []),
    ...(passages.length > 0 ? fromFiles(texts, text, passages) : []),
    ...(results.length + passages.length === 0 ? [texts.general] : []),
    ...(attachments > 0 ? [texts.attachments.replace('{count}', String(attachments))] : []),
    `### ${texts.tourTitle}`,
    list(texts.tour),
    `### ${texts.noticeTitle}`,
    list(texts.notice),
    ENVIRONMENT,
  ].join('\n\n');
}

/** The sentence of the files that fits best, with its citation. */
function fromFiles({ inFiles, notInFiles }: DemoTexts, question: string, passages: DemoPassage[]): string[] {
  const sentence = bestSentence(question, passages);
  return sentence === null ? [notInFiles] : [inFiles, `${quote(sentence.text)} [${sentence.number}]`];
}

function tableOf(columns: [string, string], results: { tool: string; result: string }[]): string {
  const rows = results.map(({ tool, result }) => [`\`${tool}\``, shortened(result).replace(/\s+/g, ' ')]);
  return [columns, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Quotes the beginning of a text. Line breaks and code fences in the text do not end the quotation. */
const quote = (text: string): string =>
  shortened(text)
    .split(/\r?\n/)
    .map((line) => `> ${line}  `.trimEnd())
    .join('  \n');

/** The beginning of a text, without Markdown that would reach beyond it. */
function shortened(text: string): string {
  const points = [...text.trim()];
  const start = points.slice(0, QUOTED_CHARACTERS).join('') + (points.length > QUOTED_CHARACTERS ? '…' : '');
  return start.replace(/([|`<\\])/g, '\\$1');
}

const list = (items: string[]): string => items.map((item) => `- ${item}`).join('\n');
