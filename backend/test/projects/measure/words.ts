/**
 * Words of offices in English and Indonesian, those of one concept on one line. The stand-in for a model knows no others: it
 * was written with the documents at hand, so the figures that it gives are those of a good model at best.
 */
const CONCEPTS = `
vacation leave cuti holiday
day days hari harian daily
year annual tahun tahunan yearly
employee employees karyawan staff worker
home rumah
work works working kerja bekerja office kantor
sick ill illness sakit
doctor dokter
salary wage gaji upah pengupahan
pay pays paid payment payments payable bayar dibayar dibayarkan pembayaran membayar
lost lose hilang
phone telephone telepon
report reported dilaporkan laporan tell lapor memberi tahu pemberitahuan notice
fire kebakaran
gather assemble kumpul assembly
probation percobaan trial
period masa
long lama
launch live diluncurkan
customer customers pelanggan
book booking bookings pesan pemesanan pesanan
system sistem
risk risks danger dangers risiko bahaya
project proyek
total jumlah
invoice faktur
deposit security jaminan
generator generators genset
machine machines mesin alat
stolen theft steal dicuri pencurian
liable liability tanggung
light lampu
tower menara
cost costs biaya price prices harga tarif
keep kept simpan disimpan
backup backups copied cadangan
meal meals makan
allowance tunjangan thr
trip trips travel perjalanan dinas
smoke smoking merokok rokok
quit resign berhenti pengunduran
before sebelum sebelumnya beforehand
budget anggaran reserve
truck trucks truk
decide decided decision diputuskan keputusan
meeting rapat
present hadir datang come
late terlambat keterlambatan
fine denda penalty
return returned kembali dikembalikan pengembalian
goods barang
cancel cancelled pembatalan dibatalkan membatalkan
free gratis tanpa
password passwords sandi kata
characters panjang karakter
advert advertising iklan
quarter kuartal
hour hours jam
operator
rent rental sewa
name nama
`;

const STOP_WORDS = new Set(
  `a an and are as at be by can do does for from get go has have how i if in is it its me must my not of on or our that the
  their they this to up us we what when where which who whom with within without you your
  ada agar akan apa bagi bisa boleh dalam dan dapat dari dengan di dilakukan harus ini itu jika ke kami kapan karena mana
  berapa oleh pada para saat sampai sebesar setelah setiap siapa tentang untuk yang`.split(/\s+/),
);

const conceptByWord = new Map(
  CONCEPTS.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      return words.map((word): [string, string] => [word, words[0]!]);
    }),
);

/** null for a word without meaning. */
export const conceptOf = (word: string): string | null =>
  STOP_WORDS.has(word) ? null : (conceptByWord.get(word) ?? word);
