import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/retention';

export default {
  retention: {
    sentence: 'Berapa lama obrolan disimpan setelah pesan terakhirnya.',
    rules: 'Aturan',
    rulesHint:
      'Waktu yang lebih singkat berlaku 7 hari setelah disimpan, dengan pemberitahuan kepada orang yang terkena. Waktu yang lebih lama langsung berlaku.',
    loading: 'Aturan sedang dimuat',
    loadError: 'Aturan tidak dapat dimuat.',
    guest: 'Tamu, hari',
    free: 'Akun gratis, hari',
    premium: 'Akun premium, hari',
    forever: 'Tanpa batas',
    days: '{count, plural, other {# hari}}',
    daysInvalid: 'Isi jumlah hari dari 1 sampai {max}, atau kosongkan.',
    exemptPinned: 'Obrolan yang disematkan tetap ada',
    preview: 'Tampilkan yang akan dihapus',
    previewNone: 'Tidak ada obrolan yang akan dihapus hari ini.',
    previewText:
      '{threads, plural, other {# obrolan}} dengan {messages, plural, other {# pesan}} dan {files, plural, other {# file}} ({size} MB) akan dihapus hari ini. Pesan terakhir dari yang terlama bertanggal {oldest}.',
    previewError: 'Yang akan dihapus tidak dapat dihitung',
    save: 'Simpan aturan',
    saved: 'Aturan disimpan',
    saveError: 'Aturan tidak dapat disimpan',
    pending: 'Waktu yang lebih singkat di bawah ini berlaku pada {time}.',
    until: 'Sampai saat itu: {rules}',
    for: { guest: 'tamu {time}', free: 'akun gratis {time}', premium: 'akun premium {time}' },
  },
} as const satisfies Translation<typeof spec>;
