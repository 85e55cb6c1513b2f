/** A document with two layers, of which "Draft" is off and "Final" on. @param content of its one page */
export function layered(content: string, config = '/OFF [5 0 R]'): Buffer {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const properties = '/L1 5 0 R /L2 6 0 R /M1 << /Type /OCMD /OCGs [5 0 R] /Name (Both) >>';
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R 6 0 R] /D << ${config} >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 ${font} >> /Properties << ${properties} >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /OCG /Name (Draft) >>',
    '<< /Type /OCG /Name (Final) >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(file + table + trailer, 'latin1');
}

/** A line of text at a height of the page. */
export const line = (text: string, y: number, more = '') => `BT ${more} /F1 12 Tf 50 ${y} Td (${text}) Tj ET\n`;
/** Content on a layer. */
export const on = (layer: string, content: string) => `/OC /${layer} BDC ${content} EMC\n`;
