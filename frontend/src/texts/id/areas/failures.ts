import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/failures';

export default {
  failures: {
    sentence: 'Jawaban dan permintaan yang gagal dalam {days} hari terakhir, terbaru lebih dulu.',
    list: 'Jawaban dan permintaan yang gagal',
    loadError: 'Daftar kegagalan tidak dapat dimuat',
    none: 'Tidak ada yang gagal.',
    noMatch: 'Tidak ada kegagalan yang cocok.',
    search: 'ID jawaban atau permintaan',
    code: 'Kode',
    connection: 'Koneksi',
    allConnections: 'Semua koneksi',
    model: 'Model',
    person: 'Pengguna',
    key: 'Kunci API',
    provider: 'Menurut penyedia',
    answerId: 'ID jawaban',
    requestId: 'ID permintaan',
    copyAnswerId: 'Salin ID jawaban',
    copyRequestId: 'Salin ID permintaan',
    showAll: 'Tampilkan semua kegagalan',
    older: 'Muat kegagalan yang lebih lama',
    olderError: 'Kegagalan yang lebih lama tidak dapat dimuat. Silakan coba lagi.',
  },
} as const satisfies Translation<typeof spec>;
