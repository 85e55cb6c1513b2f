import { drawingText } from '../drawings.js';
import type { OfficePackage } from '../package.js';
import { readXml } from '../../xml.js';

/** Texts of the boxes and charts that lie on a sheet, one for each of its drawings. */
export const drawnTexts = (office: OfficePackage, sheet: string): string[] =>
  office.targets(sheet, 'drawing').map((drawing) => textsIn(office, drawing));

function textsIn(office: OfficePackage, drawing: string): string {
  const lines: string[] = [];
  let line = '';
  let inText = false;
  readXml(office.xml(drawing), {
    open({ name, attributes }) {
      inText = name === 't';
      if (name === 'chart') lines.push(drawingText(office, drawing, attributes.id));
      else if (name === 'relIds') lines.push(drawingText(office, drawing, attributes.dm));
      else if (name === 'cNvPr' && attributes.descr) lines.push(`[picture: ${attributes.descr}]`);
    },
    text(text) {
      if (inText) line += text;
    },
    close(name) {
      inText = false;
      if (name !== 'p') return;
      lines.push(line);
      line = '';
    },
  });
  return lines.filter((one) => one.trim() !== '').join('\n');
}
