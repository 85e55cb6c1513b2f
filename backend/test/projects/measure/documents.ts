import * as xlsx from '@e965/xlsx';
import { p, rels, word, zip } from '../../files/made-documents.js';
import { pdfOf } from '../../files/scanned-pdf.js';

/** The files of a small rental company in English and Indonesian. All names and figures are made up. */

/** Page by page, slide by slide, or below each heading. */
type Sections = readonly (readonly string[])[];

const HANDBOOK: Sections = [
  [
    'Bright Harbour Rentals. Employee handbook, edition 2025.',
    'This handbook tells how we work together. It applies to all employees in Jakarta and Surabaya.',
    'Questions go to the people team on the second floor.',
  ],
  [
    'Working hours',
    'The office is open from 8.30 to 17.30. Everyone is present between 10.00 and 15.00.',
    'Up to two days a week may be spent at home, if the team lead agrees.',
    'Overtime is agreed beforehand and given back as free time within three months.',
  ],
  [
    'Annual leave',
    'Each employee has 14 days of paid leave a year, after the first twelve months of service.',
    'Leave is requested in the portal at least two weeks ahead. Up to five unused days move to the next year.',
    'Public holidays do not count as leave.',
  ],
  [
    'Illness',
    'Tell your lead before 9.00 when you are ill. A note from a doctor is needed from the second day on.',
    'The company pays the full salary for the first four months of an illness.',
  ],
  [
    'Travel and expenses',
    'Trips are booked by the office manager. Trains are preferred below 400 kilometres.',
    'Receipts are handed in within 30 days. The daily allowance for meals is 180,000 rupiah.',
    'A private car is refunded with 3,000 rupiah for each kilometre.',
  ],
  [
    'Equipment',
    'Every employee gets a laptop and a telephone. Both are returned on the last day of work.',
    'A lost device is reported to the help desk within one hour, so that it can be locked.',
  ],
];

const RULES: Sections = [
  [
    'Masa percobaan',
    'Karyawan baru menjalani masa percobaan selama tiga bulan. Selama itu, kedua pihak dapat mengakhiri hubungan kerja dengan pemberitahuan tujuh hari.',
  ],
  [
    'Pengupahan',
    'Gaji dibayarkan pada tanggal 25 setiap bulan melalui transfer bank. Jika tanggal itu hari libur, pembayaran dilakukan sehari sebelumnya.',
    'Tunjangan hari raya sebesar satu bulan gaji dibayarkan paling lambat tujuh hari sebelum Idulfitri.',
  ],
  [
    'Tata tertib',
    'Karyawan wajib memakai kartu pengenal di gudang. Merokok hanya diperbolehkan di halaman belakang.',
    'Pelanggaran pertama mendapat teguran lisan, pelanggaran ketiga mendapat surat peringatan.',
  ],
  [
    'Keselamatan di gudang',
    'Helm dan sepatu pelindung dipakai di seluruh area gudang. Forklift hanya boleh dikemudikan oleh pemegang izin.',
    'Titik kumpul saat kebakaran berada di depan gerbang utara.',
  ],
  [
    'Pengunduran diri',
    'Karyawan yang berhenti menyampaikan surat tiga puluh hari sebelumnya dan menyerahkan kembali semua barang milik perusahaan.',
  ],
];

const KICKOFF: Sections = [
  ['Project Lighthouse', 'Kickoff of the new booking system, 3 March 2025.', 'Sponsor: Maria Tan. Lead: Budi Santoso.'],
  [
    'Goals',
    'Customers book and pay without a call.',
    'Half of all bookings come from the web by December.',
    'Fewer than two errors in a hundred bookings.',
  ],
  [
    'Timeline',
    'Design until the end of April. First version for five customers in July.',
    'Launch for everyone on 1 October 2025. The old system is switched off at the end of the year.',
  ],
  [
    'Risks',
    'The payment provider may need eight weeks for its approval.',
    'Only one engineer knows the old database. Data may be lost when it is moved.',
  ],
  ['Budget', 'The project may cost 1.2 billion rupiah, of which 300 million are kept as a reserve.'],
];

const INVOICE: Sections = [
  [
    'Invoice INV-2025/0417 of PT Sinar Baja, dated 12 May 2025, to Bright Harbour Rentals.',
    '40 scaffolding frames SF-210 at 850,000 rupiah, 12 steel platforms SP-77 at 1,150,000 rupiah.',
    'Total with 11 percent tax: 53,058,000 rupiah. Payable within 30 days.',
  ],
  [
    'Terms of delivery. Goods are delivered to the north warehouse in Surabaya.',
    'Late payments cost one percent a month. Complaints about damage are made within five working days.',
    'Bank: BCA 014-220-9981.',
  ],
];

const MINUTES: Sections = [
  [
    'Notulen rapat bulanan',
    'Tanggal 9 Juni 2025, ruang Merapi. Hadir: Maria, Budi, Sari, Dewi. Tidak hadir: Agus karena sakit.',
  ],
  [
    'Laporan penjualan',
    'Pendapatan bulan Mei naik 8 persen menjadi 2,4 miliar rupiah. Penyewaan generator paling banyak diminati.',
    'Pelanggan di Surabaya mengeluhkan pengiriman yang terlambat.',
  ],
  [
    'Keputusan',
    'Dua truk baru dibeli sebelum Agustus. Sari mencari tiga penawaran sampai 20 Juni.',
    'Diskon untuk pelanggan lama ditetapkan 10 persen.',
  ],
  ['Rapat berikutnya', 'Rapat berikutnya diadakan pada 14 Juli 2025 pukul 09.00. Dewi menyiapkan agenda.'],
];

const CONTRACT: Sections = [
  [
    'Rental agreement between Bright Harbour Rentals, the lessor, and PT Karya Mandiri, the lessee.',
    'The lessor rents out two diesel generators G-500 from 1 April 2025 to 31 March 2026.',
  ],
  [
    'Rent and deposit',
    'The rent is 18 million rupiah a month for each machine, due on the first working day.',
    'The lessee leaves a security of 36 million rupiah, which is returned within 14 days after the end.',
  ],
  [
    'Use and maintenance',
    'The lessee checks oil and filters every week. The lessor does the service every 500 hours of operation.',
    'The machines may not be moved to another site without written consent.',
  ],
  [
    'Liability',
    'The lessee is liable for theft and for damage by wrong use. Both machines are insured by the lessor against fire and flood.',
  ],
  [
    'Termination',
    'Either party may end this agreement with a notice of 60 days. It ends at once if the rent is two months late.',
    'Disputes are settled by the district court of South Jakarta.',
  ],
];

const SECURITY = `# Passwords

A password has at least 14 characters and is kept in the password manager. Nobody asks for it, not even the help desk. Two-factor login is required for mail and bookkeeping.

# Visitors

Guests sign in at the reception and are accompanied at all times. Their badge ends at six in the evening.

# Backups

The database is copied every night to a second site and kept for 35 days. A restore is tried on the first Monday of each quarter.

# Incidents

A suspicious mail is forwarded to security@brightharbour.example. An incident is reported to the authority within 72 hours if personal data is affected.
`;

const GUIDE: Sections = [
  [
    'Panduan pelanggan Bright Harbour Rentals.',
    'Pemesanan dapat dilakukan lewat situs, telepon, atau di kantor. Identitas asli diperlukan saat pengambilan barang.',
  ],
  [
    'Pembayaran',
    'Kami menerima transfer bank, kartu kredit, dan dompet digital. Uang muka sebesar 30 persen dibayar saat pemesanan.',
  ],
  ['Pembatalan', 'Pembatalan gratis sampai 48 jam sebelum pengambilan. Setelah itu, uang muka tidak dikembalikan.'],
  [
    'Pengembalian dan kerusakan',
    'Barang dikembalikan dalam keadaan bersih. Keterlambatan dikenai denda 5 persen dari harga sewa per jam.',
    'Kerusakan dilaporkan segera ke nomor 0811-555-210, yang dijawab setiap hari sampai pukul 22.00.',
  ],
];

const PRICES: Readonly<Record<string, (string | number)[][]>> = {
  Equipment: [
    ['Article', 'Description', 'Price a day in rupiah'],
    ['G-500', 'Diesel generator 500 kVA', 900_000],
    ['G-150', 'Diesel generator 150 kVA', 425_000],
    ['SF-210', 'Scaffolding frame 2.1 m', 18_000],
    ['CP-30', 'Concrete pump 30 m', 2_750_000],
    ['LT-9', 'Light tower 9 m', 310_000],
  ],
  Services: [
    ['Service', 'Unit', 'Price in rupiah'],
    ['Delivery within the city', 'trip', 350_000],
    ['Operator for a machine', 'hour', 95_000],
    ['Cleaning after return', 'machine', 150_000],
    ['Training of drivers', 'person', 1_250_000],
  ],
};

const BUDGET: Readonly<Record<string, (string | number)[][]>> = {
  Pendapatan: [
    ['Pos', 'Kuartal 1', 'Kuartal 2', 'Kuartal 3', 'Kuartal 4'],
    ['Sewa alat', 5_900, 6_400, 6_800, 7_100],
    ['Jasa operator', 820, 870, 900, 940],
    ['Penjualan barang bekas', 120, 90, 150, 110],
  ],
  Biaya: [
    ['Pos', 'Kuartal 1', 'Kuartal 2', 'Kuartal 3', 'Kuartal 4'],
    ['Karyawan', 2_100, 2_150, 2_150, 2_300],
    ['Bahan bakar', 760, 790, 830, 850],
    ['Iklan', 140, 210, 160, 240],
    ['Perawatan kendaraan', 310, 290, 330, 350],
  ],
};

const pdf = (pages: Sections): Buffer => pdfOf(pages.map((lines) => ({ text: lines.join('\n') })));

const docx = (sections: Sections): Buffer =>
  word(
    sections
      .map(([heading, ...lines]) => p(heading!, '<w:outlineLvl w:val="0"/>') + lines.map((line) => p(line)).join(''))
      .join(''),
  );

const pptx = (slides: Sections): Buffer =>
  zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
    'show/main.xml': `<p:presentation>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at + 1}"/>`)
      .join('')}</p:presentation>`,
    'show/_rels/main.xml.rels': rels(...slides.map((_, at): [string, string] => ['slide', `s${at + 1}.xml`])),
    ...Object.fromEntries(
      slides.map((lines, at) => [
        `show/s${at + 1}.xml`,
        `<p:sld>${lines.map((line) => `<p:sp><a:p><a:r><a:t>${line}</a:t></a:r></a:p></p:sp>`).join('')}</p:sld>`,
      ]),
    ),
  });

function workbook(sheets: Readonly<Record<string, (string | number)[][]>>): Buffer {
  const book = xlsx.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), name);
  return Buffer.from(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
}

export interface MeasuredDocument {
  name: string;
  content: () => Buffer;
}

export const DOCUMENTS: readonly MeasuredDocument[] = [
  { name: 'handbook.pdf', content: () => pdf(HANDBOOK) },
  { name: 'peraturan-perusahaan.docx', content: () => docx(RULES) },
  { name: 'lighthouse-kickoff.pptx', content: () => pptx(KICKOFF) },
  { name: 'invoice-sinar-baja.pdf', content: () => pdf(INVOICE) },
  { name: 'notulen-juni.docx', content: () => docx(MINUTES) },
  { name: 'generator-contract.pdf', content: () => pdf(CONTRACT) },
  { name: 'security.md', content: () => Buffer.from(SECURITY) },
  { name: 'panduan-pelanggan.pdf', content: () => pdf(GUIDE) },
  { name: 'price-list.xlsx', content: () => workbook(PRICES) },
  { name: 'anggaran-2025.xlsx', content: () => workbook(BUDGET) },
];
