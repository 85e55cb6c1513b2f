import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/prices';

export default {
  prices: {
    title: 'Harga dalam USD',
    hint: 'Yang ditagih penyedia. Harga yang kosong tidak diketahui, bukan nol; 0 berarti gratis. Perubahan berlaku untuk jawaban yang dimulai sesudahnya; jawaban yang sedang berjalan dan biaya sebelumnya tetap.',
    prompt: 'Token masukan',
    completion: 'Token keluaran',
    cachedPrompt: 'Token masukan dari cache',
    request: 'Permintaan',
    image: 'Gambar',
    search: 'Pencarian web',
    perMillion: 'Per 1 juta token',
    perUnit: 'Masing-masing',
    unknown: 'Tidak diketahui',
    rule: 'Angka mulai dari 0 seperti 0.15, dengan paling banyak {digits} angka di belakang titik',
    since: 'Sejak {time}. Sumbernya tidak diketahui.',
    since_catalogue: 'Sejak {time}, dari katalog penyedia.',
    since_admin: 'Sejak {time}, diatur oleh admin.',
    loadError: 'Riwayat harga tidak dapat dimuat.',
    showEarlier: 'Tampilkan harga sebelumnya',
    hideEarlier: 'Sembunyikan harga sebelumnya',
    earlier: 'Harga sebelumnya',
    allUnknown: 'Semua harga tidak diketahui',
    tokenPrice: '{name}: {price} per 1 juta',
    unitPrice: '{name}: {price} per satuan',
  },
} as const satisfies Translation<typeof spec>;
