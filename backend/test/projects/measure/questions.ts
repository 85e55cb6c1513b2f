export interface MeasuredQuestion {
  ask: string;
  /** Where the answer is; absent for a question that no document answers. */
  place?: { file: string; label: string };
}

const at = (file: string, label: string) => ({ file, label });

/** 15 questions in English and 15 in Indonesian. Many have other words, or another language, than the document. */
export const QUESTIONS: readonly MeasuredQuestion[] = [
  { ask: 'How many vacation days do I get?', place: at('handbook.pdf', 'page 3') },
  { ask: 'Can I work from home?', place: at('handbook.pdf', 'page 2') },
  { ask: 'What must I do when I am sick?', place: at('handbook.pdf', 'page 4') },
  { ask: 'I lost my phone, whom do I tell?', place: at('handbook.pdf', 'page 6') },
  { ask: 'On which day is the salary paid?', place: at('peraturan-perusahaan.docx', 'Pengupahan') },
  { ask: 'How long is the probation period?', place: at('peraturan-perusahaan.docx', 'Masa percobaan') },
  { ask: 'Where do we gather in case of fire?', place: at('peraturan-perusahaan.docx', 'Keselamatan di gudang') },
  { ask: 'When does the booking system go live for all customers?', place: at('lighthouse-kickoff.pptx', 'slide 3') },
  { ask: 'Which dangers does project Lighthouse have?', place: at('lighthouse-kickoff.pptx', 'slide 4') },
  { ask: 'What is the total of INV-2025/0417?', place: at('invoice-sinar-baja.pdf', 'page 1') },
  { ask: 'How much is the deposit for the generators?', place: at('generator-contract.pdf', 'page 2') },
  { ask: 'Who pays if the machine is stolen?', place: at('generator-contract.pdf', 'page 4') },
  { ask: 'What does a light tower cost per day?', place: at('price-list.xlsx', 'sheet "Equipment"') },
  { ask: 'How long do we keep backups?', place: at('security.md', 'Backups') },
  { ask: 'What is the name of the dog of the director?' },
  { ask: 'Berapa hari cuti tahunan karyawan?', place: at('handbook.pdf', 'page 3') },
  { ask: 'Berapa uang makan harian saat perjalanan dinas?', place: at('handbook.pdf', 'page 5') },
  { ask: 'Kapan THR dibayarkan?', place: at('peraturan-perusahaan.docx', 'Pengupahan') },
  { ask: 'Di mana boleh merokok?', place: at('peraturan-perusahaan.docx', 'Tata tertib') },
  {
    ask: 'Berapa lama sebelum berhenti harus memberi tahu?',
    place: at('peraturan-perusahaan.docx', 'Pengunduran diri'),
  },
  { ask: 'Berapa anggaran proyek Lighthouse?', place: at('lighthouse-kickoff.pptx', 'slide 5') },
  { ask: 'Apa yang diputuskan tentang truk?', place: at('notulen-juni.docx', 'Keputusan') },
  { ask: 'Siapa yang tidak datang ke rapat Juni?', place: at('notulen-juni.docx', 'Notulen rapat bulanan') },
  { ask: 'Berapa denda jika barang terlambat dikembalikan?', place: at('panduan-pelanggan.pdf', 'page 4') },
  { ask: 'Sampai kapan pesanan bisa dibatalkan tanpa biaya?', place: at('panduan-pelanggan.pdf', 'page 3') },
  { ask: 'Berapa harga SF-210 di faktur Sinar Baja?', place: at('invoice-sinar-baja.pdf', 'page 1') },
  { ask: 'Berapa panjang minimal kata sandi?', place: at('security.md', 'Passwords') },
  { ask: 'Berapa biaya iklan pada kuartal 4?', place: at('anggaran-2025.xlsx', 'sheet "Biaya"') },
  { ask: 'Berapa tarif operator per jam?', place: at('price-list.xlsx', 'sheet "Services"') },
  { ask: 'Siapa juara lomba lari tahun lalu?' },
];

/** A question whose words do not name what it asks about. */
export interface FollowUp extends Required<MeasuredQuestion> {
  /** The question before, in the same chat. */
  after: string;
  /** What a reader of the chat takes it for. */
  meant: string;
}

/** Six in English and four in Indonesian: half of them mean the page or the part before or after the one that was cited. */
export const FOLLOW_UPS: readonly FollowUp[] = [
  {
    after: 'Can I work from home?',
    ask: 'And the next page?',
    meant: 'Annual paid leave of employees',
    place: at('handbook.pdf', 'page 3'),
  },
  {
    after: 'How much is the deposit for the generators?',
    ask: 'What does the one after that say?',
    meant: 'Use, maintenance and service of machines',
    place: at('generator-contract.pdf', 'page 3'),
  },
  {
    after: 'How long do we keep backups?',
    ask: 'Go on, please.',
    meant: 'Security incidents',
    place: at('security.md', 'Incidents'),
  },
  {
    after: 'Who pays if the machine is stolen?',
    ask: 'And how does one get out of it?',
    meant: 'Termination of the agreement',
    place: at('generator-contract.pdf', 'page 5'),
  },
  {
    after: 'What is the total of INV-2025/0417?',
    ask: 'Until when?',
    meant: 'Invoice payable within 30 days',
    place: at('invoice-sinar-baja.pdf', 'page 1'),
  },
  {
    after: 'Which dangers does project Lighthouse have?',
    ask: 'And before that?',
    meant: 'Timeline of the design, launch and first version',
    place: at('lighthouse-kickoff.pptx', 'slide 3'),
  },
  {
    after: 'Di mana boleh merokok?',
    ask: 'Lalu bagian berikutnya?',
    meant: 'Keselamatan di gudang, helm dan forklift',
    place: at('peraturan-perusahaan.docx', 'Keselamatan di gudang'),
  },
  {
    after: 'Apa yang diputuskan tentang truk?',
    ask: 'Dan setelah itu?',
    meant: 'Rapat berikutnya dan agenda',
    place: at('notulen-juni.docx', 'Rapat berikutnya'),
  },
  {
    after: 'Berapa biaya iklan pada kuartal 4?',
    ask: 'Dan bahan bakar?',
    meant: 'Biaya bahan bakar kuartal 4',
    place: at('anggaran-2025.xlsx', 'sheet "Biaya"'),
  },
  {
    after: 'Siapa yang tidak datang ke rapat Juni?',
    ask: 'Apa berikutnya?',
    meant: 'Laporan penjualan dan pendapatan',
    place: at('notulen-juni.docx', 'Laporan penjualan'),
  },
];
