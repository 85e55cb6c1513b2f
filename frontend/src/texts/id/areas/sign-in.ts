import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/sign-in';

export default {
  signIn: {
    continueWith: 'Lanjutkan dengan {label}',
    or: 'atau',
    codeHint: 'Anda sudah masuk di penyedia. Masukkan juga kode dari aplikasi autentikator.',
    again: 'Kembali ke halaman masuk',
    failed: 'Anda belum masuk',
    notConnected: 'Login tidak terhubung',
    notCompleted: 'Proses masuk tidak selesai',
    failures: {
      sign_in_failed: 'Gagal masuk. Silakan coba lagi.',
      expired: 'Proses masuk ini kedaluwarsa atau sudah dipakai. Mulailah lagi.',
      cancelled: 'Proses masuk dibatalkan.',
      other_account: 'Anda masuk sebagai orang lain, bukan yang sedang masuk di sini.',
      identity_not_linked:
        'Tidak ada akun untuk login ini. Masuklah seperti biasa dan hubungkan di pengaturan akun Anda.',
      identity_taken: 'Login ini terhubung ke akun lain.',
      identity_provider_unreachable: 'Layanan login tidak dapat dihubungi. Coba lagi atau masuk dengan cara lain.',
      account_pending: 'Akun Anda menunggu persetujuan admin. Masuklah setelah disetujui.',
      account_suspended: 'Akun Anda ditangguhkan. Hubungi administrator.',
      rate_limited: 'Terlalu banyak permintaan. Tunggu sebentar lalu coba lagi.',
    },
    identities: 'Login yang terhubung',
    identitiesHint: 'Login dari layanan lain yang membuka akun ini.',
    identitiesFailed: 'Login yang terhubung gagal dimuat.',
    noIdentities: 'Belum ada login yang terhubung.',
    connect: 'Hubungkan {label}',
    connectHint: 'Masukkan kata sandi Anda, lalu masuk di {label}.',
    connectFailed: 'Login tidak dapat dihubungkan',
    signInAgain: 'Masuk sekali lagi dengan {label}',
    goOn: 'Lanjut ke {label}',
    neverUsed: 'belum dipakai',
    disconnect: 'Putuskan',
    disconnectOf: 'Putuskan {label}',
    disconnected: 'Login diputuskan',
    disconnectFailed: 'Login tidak diputuskan',
    disconnectQuestion:
      'Putuskan “{label}”? Anda tidak dapat lagi masuk dengannya, dan kehilangan grup serta hak yang diberikannya.',
  },
} as const satisfies Translation<typeof spec>;
