import { LIMITS } from '@tanya/contract';
import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/tools';

export default {
  tools: {
    heading: 'Asisten boleh memakai',
    label: 'Alat',
    labelOn: '{count, plural, other {# alat aktif}}',
    search: 'Cari',
    asks: 'Bertanya dulu',
    builtIn: 'Alat bawaan',
    all: 'Semua {count} alat',
    tooMany: 'Paling banyak {max} alat dapat aktif. Matikan sebagian dahulu.',
    notSaved: 'Pilihan alat tidak tersimpan',
    web_search: 'Pencarian web',
    web_search_hint: 'Menemukan halaman terbaru dan mengutipnya',
    read_page: 'Baca halaman',
    read_page_hint: 'Membaca teks halaman atau PDF',
    current_time: 'Waktu sekarang',
    current_time_hint: 'Tanggal dan jam di zona waktu mana pun',
    calculate: 'Kalkulator',
    calculate_hint: 'Menghitung dengan tepat, lengkap dengan satuan',
    create_image: 'Buat gambar',
    create_image_hint: `Membuat gambar; ${LIMITS.imageCost} pesan per gambar`,
  },
} as const satisfies Translation<typeof spec>;
