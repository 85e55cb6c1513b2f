export type DemoLanguage = 'en' | 'id';

interface DemoTexts {
  titles: {
    tool: string;
    general: string;
    greeting: string;
    arithmetic: string;
    date: string;
    code: string;
    haiku: string;
  };
  asked: string;
  greeting: string;
  general: string;
  steps: string[];
  arithmetic: string;
  columns: [string, string];
  expression: string;
  result: string;
  tool: string;
  date: string;
  day: string;
  time: string;
  universal: string;
  code: string;
  haiku: string;
  haikus: string[];
  seen: { words: string; turn: string; attachments: string };
  attachment: string;
  tour: string[];
  tourTitle: string;
  more: string;
  noticeTitle: string;
  notice: string[];
  environment: string;
}

/** Texts of demo answers. Both languages state that no model wrote the answer and where an admin sets a key. */
export const DEMO_TEXTS: Record<DemoLanguage, DemoTexts> = {
  en: {
    titles: {
      tool: 'The result of a tool',
      general: 'About your question',
      greeting: 'Hello!',
      arithmetic: 'The result',
      date: 'Date and time',
      code: 'A small program',
      haiku: 'A haiku',
    },
    asked: 'You asked:',
    greeting: 'Nice to meet you. This chat works from end to end; only the model behind it is missing.',
    general:
      'A language model would answer this now. The demo can only show how an answer looks and how to go about it:',
    steps: [
      '**Say what you know** and what you want to find out.',
      '**Split it** into parts that can be answered one by one.',
      '**Check each part** against a source that you trust.',
      '**Put it together** and ask again where something is unclear.',
    ],
    arithmetic: 'That can be worked out without a model:',
    columns: ['What', 'Value'],
    expression: 'Expression',
    result: 'Result',
    tool: 'A tool of this server found it, which a model would now explain:',
    date: "By the server's clock it is:",
    day: 'Day',
    time: 'Time',
    universal: 'ISO 8601 (UTC)',
    code: 'Here is one that runs as it stands. Copy it with the button at its corner:',
    haiku: 'One from the drawer, since the demo writes none of its own:',
    haikus: [
      'First rain on warm stone\nthe whole street opens windows\nto breathe in the dust',
      'A key not yet set\nthe empty chat waits for words\nstill it answers you',
      'Moon over the bay\na fisherman counts his nets\nand then counts the stars',
    ],
    seen: { words: 'Words in your message', turn: 'Messages of yours in this thread', attachments: 'Attachments' },
    attachment: 'Your attachment arrived safely, but the demo cannot look into it.',
    tourTitle: 'What works already',
    tour: [
      'Reload the page while this is being written: the answer goes on where it was.',
      '**Stop** ends an answer and keeps what is there; **Regenerate** writes another version beside it.',
      'Sign in to keep your threads, to search them and to get an API key.',
      'Attach images and documents, or draw a picture with **Create Image**.',
    ],
    more: 'Other things to try here:',
    noticeTitle: 'This is a demo answer',
    notice: [
      'No model provider is set, so no language model wrote this.',
      'An administrator sets a key under **Admin Menu → General Settings**.',
      'Or start with `OPENROUTER_API_KEY` or `OPENAI_API_KEY` in the environment:',
    ],
    environment: 'OPENROUTER_API_KEY=sk-or-... npm start',
  },
  id: {
    titles: {
      tool: 'Hasil sebuah alat',
      general: 'Tentang pertanyaan Anda',
      greeting: 'Halo!',
      arithmetic: 'Hasilnya',
      date: 'Tanggal dan waktu',
      code: 'Sebuah program kecil',
      haiku: 'Sebuah haiku',
    },
    asked: 'Anda bertanya:',
    greeting: 'Senang bertemu Anda. Percakapan ini sudah berjalan penuh; hanya modelnya yang belum ada.',
    general: 'Di sini model bahasa akan menjawab. Demo hanya menunjukkan bentuk jawaban dan cara memulainya:',
    steps: [
      '**Tuliskan yang sudah Anda tahu** dan yang ingin Anda cari.',
      '**Bagi** menjadi bagian yang dapat dijawab satu per satu.',
      '**Periksa tiap bagian** dengan sumber yang Anda percaya.',
      '**Gabungkan**, lalu tanyakan lagi bagian yang belum jelas.',
    ],
    arithmetic: 'Ini dapat dihitung tanpa model:',
    columns: ['Apa', 'Nilai'],
    expression: 'Perhitungan',
    result: 'Hasil',
    tool: 'Alat di server ini menemukannya; model akan menjelaskannya di sini:',
    date: 'Menurut jam server sekarang:',
    day: 'Hari',
    time: 'Pukul',
    universal: 'ISO 8601 (UTC)',
    code: 'Ini contoh yang langsung dapat dijalankan. Salin dengan tombol di sudutnya:',
    haiku: 'Satu dari laci, karena demo tidak menulis sendiri:',
    haikus: [
      'Hujan pertama\njalan kering bernapas\njendela terbuka',
      'Kunci belum ada\npercakapan menunggu\ntetap menjawab',
      'Bulan di teluk\nnelayan hitung jala\nlalu bintangnya',
    ],
    seen: { words: 'Kata dalam pesan Anda', turn: 'Pesan Anda di percakapan ini', attachments: 'Lampiran' },
    attachment: 'Lampiran Anda sudah diterima, tetapi demo tidak dapat membacanya.',
    tourTitle: 'Yang sudah berjalan',
    tour: [
      'Muat ulang halaman saat jawaban ditulis: jawaban berlanjut dari tempatnya.',
      '**Stop** menghentikan jawaban dan menyimpan yang ada; **Regenerate** menulis versi lain di sampingnya.',
      'Masuk untuk menyimpan percakapan, mencarinya, dan mendapat kunci API.',
      'Lampirkan gambar dan dokumen, atau buat gambar dengan **Create Image**.',
    ],
    more: 'Hal lain yang dapat dicoba:',
    noticeTitle: 'Ini jawaban demo',
    notice: [
      'Belum ada penyedia model yang diatur, jadi ini bukan tulisan model bahasa.',
      'Administrator mengisi kunci di **Admin Menu → General Settings**.',
      'Atau jalankan dengan `OPENROUTER_API_KEY` atau `OPENAI_API_KEY` di environment:',
    ],
    environment: 'OPENROUTER_API_KEY=sk-or-... npm start',
  },
};

export const DEMO_SUGGESTIONS: Record<DemoLanguage, string[]> = {
  en: [
    '`What is (12 + 30) * 2?`',
    '`Write a Python function for Fibonacci numbers`',
    '`Write a haiku`',
    '`What day is it?`',
  ],
  id: ['`Berapa (12 + 30) * 2?`', '`Buatkan fungsi Python untuk Fibonacci`', '`Tulis haiku`', '`Hari apa sekarang?`'],
};
