import type { Translation } from '../../catalogue';
import type spec from '../../spec/areas/voice';

export default {
  dictation: {
    start: 'Dikte',
    label: 'Dikte',
    asking: 'Izinkan mikrofon untuk mendikte.',
    recording: 'Mendengarkan',
    writing: 'Menuliskan ucapan Anda',
    left: 'Sisa waktu',
    finish: 'Selesai dan sisipkan teks',
    language: 'Bahasa ucapan',
    anyLanguage: 'Kenali bahasa',
    denied: 'Mikrofon tidak diizinkan. Izinkan untuk situs ini di browser, lalu coba lagi.',
    absent: 'Mikrofon tidak ditemukan. Sambungkan, lalu coba lagi.',
    failed: 'Mikrofon tidak dapat dipakai. Mungkin sedang dipakai program lain.',
    silence: 'Tidak ada yang terdengar. Silakan coba lagi.',
  },
  speech: {
    read: 'Bacakan',
    pause: 'Jeda',
    resume: 'Lanjutkan membaca',
    stop: 'Berhenti membaca',
    code: 'Kode dilewati.',
    formula: 'rumus',
    failed: 'Browser tidak dapat membacakan jawaban ini.',
  },
} as const satisfies Translation<typeof spec>;
