import type { Texts } from '../catalogue';

/** The built-in ideas by their index in `STARTERS` of the contract. */
export default {
  starters: {
    0: 'Jelaskan bagaimana pelangi terbentuk seolah-olah saya berumur sepuluh tahun.',
    1: 'Rencanakan perjalanan tiga hari ke Yogyakarta dengan anggaran kecil.',
    2: 'Bantu saya menulis email sopan untuk meminta perpanjangan tenggat waktu.',
    3: 'Sarankan lima makan malam praktis dengan nasi, telur, dan sayuran.',
    4: 'Apa kelebihan dan kekurangan bekerja dari rumah?',
    5: 'Tulis cerita pendek tentang penjaga mercusuar yang menemukan sebuah pesan.',
    6: 'Ajari saya sepuluh frasa berguna untuk berkunjung ke Jepang.',
    7: 'Beri saya latihan untuk pemula yang tidak memerlukan alat.',
    8: 'Bagaimana cara kerja bunga majemuk? Tunjukkan dengan tabel kecil.',
    9: 'Bandingkan basis data SQL dan NoSQL, masing-masing dengan satu contoh.',
    10: 'Tulis fungsi JavaScript yang menghapus duplikat dari sebuah daftar.',
    11: 'Pertanyaan apa yang sebaiknya saya ajukan di akhir wawancara kerja?',
    12: 'Rangkum penyebab Revolusi Prancis dalam enam poin.',
    13: 'Bantu saya memberi nama kedai kopi kecil di dekat laut.',
    14: 'Jelaskan perbedaan antara virus dan bakteri.',
    15: 'Susun rencana belajar mingguan untuk ujian empat minggu lagi.',
    16: 'Apa yang harus saya periksa sebelum membeli laptop bekas?',
    17: 'Ubah ini menjadi haiku: hujan pertama setelah kemarau panjang.',
    18: 'Jelaskan langkah demi langkah bagaimana internet mengantarkan halaman web.',
    19: 'Beri saya tiga ide kado ulang tahun di bawah Rp200.000.',
  },
} as const satisfies Texts;
