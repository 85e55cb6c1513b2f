const LINES = 40;
const WORDS_OF_LINE = 12;

/** The lines of a page, as PostScript strings. */
const linesOf = (page) =>
  Array.from({ length: LINES }, (_, line) => {
    const words = Array.from(
      { length: WORDS_OF_LINE },
      (_, word) => `w${(page * 7919 + line * 104_729 + word * 31) % 5_000}`,
    );
    return `(${words.join(' ')}.) Tj T*`;
  }).join('\n');

/** A PDF in A4 with pages of 480 words. */
export function textPdf(pages) {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'];
  const kids = [];
  for (let page = 0; page < pages; page += 1) {
    const content = `BT /F 9 Tf 12 TL 40 800 Td ${linesOf(page)} ET`;
    objects.push(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    const resources = '/Resources<</Font<</F 3 0 R>>>>';
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents ${objects.length} 0 R>>`);
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages}>>`;
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer\n<</Root 1 0 R/Size ${size}>>\nstartxref\n${text.length}\n%%EOF`);
}
