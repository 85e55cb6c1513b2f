/** The files of the demo project: what projects do, in the languages of the page. */
export const DEMO_DOCUMENTS: readonly { name: string; text: string }[] = [
  {
    name: 'Guide to projects.md',
    text: `# What a project is

A project is a group of chats that share files and instructions. Each member has their own chats in it, which nobody else sees.

# Adding files

The owner and editors add files on the page of the project: PDF, Word, Excel, PowerPoint, Markdown and plain text. Each file is read in the background and is ready within seconds.

# Asking and citations

Begin a chat with the button “New chat in this project”. An answer that uses a file cites the place by a number. A click on the number opens the document at that page, with the passage marked.

# Members and roles

The owner invites people by their exact username. Viewers read the files and ask. Editors also add and delete files and change the instructions. Only the owner sets the members and deletes the project.

# Deleting

Deleting a file removes its text from the search at once. Answers that cited it keep their quotations and say that the source was removed. Deleting a project keeps the chats of all members.

# Connecting a model

Without a provider the built-in demo answers: it quotes the sentence with most words of your question. An administrator sets a key under Admin Menu, General Settings, and real models answer from then on.
`,
  },
  {
    name: 'Panduan proyek.md',
    text: `# Apa itu proyek

Proyek adalah kumpulan obrolan dengan file dan instruksi bersama. Setiap anggota memiliki obrolannya sendiri, yang tidak dilihat orang lain.

# Menambah file

Pemilik dan penyunting menambah file di halaman proyek: PDF, Word, Excel, PowerPoint, Markdown, dan teks biasa. Setiap file dibaca di latar belakang dan siap dalam beberapa detik.

# Bertanya dan kutipan

Mulailah obrolan dengan tombol “Obrolan baru di proyek ini”. Jawaban yang memakai file mengutip tempatnya dengan nomor. Klik pada nomor membuka dokumen di halaman itu, dengan bagian yang ditandai.

# Anggota dan peran

Pemilik mengundang orang dengan nama pengguna yang persis. Pembaca membaca file dan bertanya. Penyunting juga menambah dan menghapus file serta mengubah instruksi. Hanya pemilik yang mengatur anggota dan menghapus proyek.

# Menghapus

Menghapus file langsung menghilangkan teksnya dari pencarian. Jawaban yang mengutipnya menyimpan kutipannya dan menyatakan bahwa sumbernya dihapus. Menghapus proyek tidak menghapus obrolan para anggota.

# Menghubungkan model

Tanpa penyedia, demo bawaan menjawab: demo mengutip kalimat dengan kata terbanyak dari pertanyaan Anda. Administrator mengisi kunci di Admin Menu, General Settings, lalu model sungguhan menjawab.
`,
  },
];
