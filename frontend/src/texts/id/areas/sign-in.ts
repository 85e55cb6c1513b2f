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
