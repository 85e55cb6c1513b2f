import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/batch';

export default {
  batch: {
    choose: 'Pilih',
    chooseOne: 'Pilih {name}',
    chooseAll: 'Pilih semua {count, number}',
    count: '{count, plural, =0 {Belum ada yang dipilih} other {# dipilih}}',
    change: 'Ubah yang dipilih',
    clear: 'Batalkan pilihan',
    keep: 'Tidak diubah',
    more: 'dan {count, plural, other {# lainnya}}',
    people: '{count, plural, other {Ubah # orang}}',
    peopleChanged: '{count, plural, other {# orang diubah}}',
    models: '{count, plural, other {Ubah # model}}',
    modelsChanged: '{count, plural, other {# model diubah}}',
    failed: '{count, plural, other {#}} tidak diubah:',
    error: 'Tidak semuanya diubah',
    gone: 'Sudah tidak ada.',
    isDefault: 'Model bawaan tetap aktif.',
    account: 'Akun',
    addToGroup: 'Tambahkan ke grup',
    leaveGroup: 'Keluarkan dari grup',
    prices: 'Harga',
    setPrices: 'Atur semua harga',
    pricesHint: 'Menggantikan semua harga setiap model. Harga kosong berarti tidak diketahui; 0 berarti gratis.',
  },
} as const satisfies Translation<typeof spec>;
