import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/installation';

export default {
  installation: {
    sentence: 'Apakah semua baik-baik saja: yang berjalan, yang gagal, serta yang terakhir dicadangkan dan diubah.',
    loading: 'Memuat instalasi',
    loadError: 'Keadaan instalasi tidak dapat dimuat',
    state: 'Keadaan',
    version: 'Versi server',
    otherVersion: 'Sebuah node dengan versi lain berjalan, seperti saat pembaruan.',
    nodes: 'Node',
    node: '{name}, sejak {time}',
    redis: 'Redis menghubungkan node.',
    noRedis: 'Tanpa Redis, satu node melayani sendiri.',
    connections: '{count, plural, other {# koneksi menjawab}}.',
    failing: 'Gagal: {names}',
    noConnection: 'Belum ada koneksi; demo yang menjawab.',
    noFailures: 'Tidak ada dalam 24 jam terakhir.',
    failures: '{count, plural, other {# kegagalan}} dalam 24 jam terakhir.',
    manyFailures: 'Sedikitnya {count} kegagalan dalam 24 jam terakhir.',
    backup: 'Cadangan terakhir',
    noBackup: 'Belum ada yang diketahui. Buat dengan {command}.',
    madeAt: '{time}: {rows} baris dan {files} file.',
    change: 'Perubahan terakhir',
    changedBy: '{name}, {time}',
    more: 'Rincian',
    moreOf: 'Rincian: {name}',
  },
} as const satisfies Translation<typeof spec>;
