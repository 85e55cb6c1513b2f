import { TEXTS } from '@tanya/contract';
import { type FileEvidence, extensionForType, judgeFileKind, nameOfBeginning } from './file-kind.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const evidence = (fields: Partial<FileEvidence>): FileEvidence => ({
  detected: null,
  isText: false,
  extension: '',
  declared: '',
  start: '',
  ...fields,
});

const typeOf = (fields: Partial<FileEvidence>) => judgeFileKind(evidence(fields)).type;

describe('accepts consistent evidence', () => {
  it.each([
    [{ detected: 'image/png', extension: 'png', declared: 'image/png' }, 'image/png'],
    [{ detected: 'image/jpeg', extension: 'jpg', declared: 'image/jpg' }, 'image/jpeg'],
    [{ detected: 'image/png', extension: '', declared: 'image/png' }, 'image/png'],
    [{ detected: 'image/jpeg', extension: '', declared: 'image/jpg' }, 'image/jpeg'],
    [{ detected: 'video/webm', extension: '', declared: 'audio/webm' }, 'audio/webm'],
    [{ detected: 'image/apng', extension: 'png', declared: 'application/octet-stream' }, 'image/png'],
    [{ detected: 'application/pdf', extension: 'pdf' }, 'application/pdf'],
    [{ detected: DOCX, extension: 'docx', declared: DOCX }, DOCX],
    [{ detected: 'application/zip', extension: 'docx', declared: DOCX }, DOCX],
    [{ detected: 'application/zip', extension: '', declared: DOCX }, DOCX],
    [{ detected: 'application/x-cfb', extension: 'docx', declared: DOCX }, 'application/octet-stream'],
    [{ detected: DOCX, extension: 'doc', declared: 'application/msword' }, DOCX],
    [
      { detected: 'application/rtf', isText: true, extension: 'doc', declared: 'application/msword' },
      'application/rtf',
    ],
    [{ detected: 'application/epub+zip', extension: 'epub', declared: '' }, 'application/epub+zip'],
    [{ isText: true, extension: 'eml', declared: 'message/rfc822' }, 'message/rfc822'],
    [
      { detected: 'application/x-cfb', extension: 'xls', declared: 'application/vnd.ms-excel' },
      'application/vnd.ms-excel',
    ],
    [{ detected: 'application/zip', extension: 'zip', declared: 'application/x-zip-compressed' }, 'application/zip'],
    [{ detected: 'audio/mpeg', extension: 'mp3', declared: 'audio/mp3' }, 'audio/mpeg'],
    [{ detected: 'video/webm', extension: 'webm', declared: 'audio/webm' }, 'audio/webm'],
    [{ isText: true, extension: 'csv', declared: 'application/vnd.ms-excel' }, 'text/csv'],
    [{ isText: true, extension: 'md', declared: '' }, 'text/markdown'],
    [{ detected: 'application/xml', isText: true, extension: 'txt', declared: 'text/plain' }, 'text/plain'],
  ])('%j is %s', (fields, type) => {
    expect(typeOf(fields)).toBe(type);
  });
});

describe('judges other files as opaque (UP-2)', () => {
  it.each([
    { isText: true, extension: 'html', declared: 'text/html' },
    { isText: true, extension: 'js', declared: 'text/javascript' },
    { detected: 'application/x-msdownload', extension: 'exe', declared: 'application/x-msdownload' },
    { detected: 'video/mp4', extension: 'mp4', declared: 'video/mp4' },
    { detected: 'application/x-cfb', extension: 'vsd', declared: 'application/vnd.visio' },
    { isText: true, extension: 'xls', declared: 'application/vnd.ms-excel' },
    { isText: true, extension: '', declared: 'text/plain' },
    { extension: 'bin' },
  ])('%j', (fields) => {
    expect(typeOf(fields)).toBe('application/octet-stream');
  });
});

describe('refuses contradicting evidence (UP-2, UP-3)', () => {
  it.each([
    { isText: true, extension: 'png', declared: 'image/png' },
    { isText: true, extension: 'txt', declared: 'image/png' },
    { detected: 'image/png', extension: 'jpg', declared: 'image/png' },
    { detected: 'image/png', extension: 'png', declared: 'image/jpeg' },
    { detected: 'image/png', extension: '', declared: 'image/jpeg' },
    { detected: 'image/png', extension: '', declared: '' },
    { detected: 'image/png', extension: '', declared: 'application/octet-stream' },
    { isText: true, extension: '', declared: 'image/png' },
    { detected: 'image/png', extension: '2', declared: 'image/png' },
    { detected: 'image/png', extension: 'html', declared: 'text/html' },
    { detected: 'application/x-msdownload', extension: 'png', declared: 'image/png' },
    { detected: 'application/zip', extension: 'pdf', declared: 'application/pdf' },
    { detected: 'application/pdf', extension: 'docx', declared: DOCX },
    { detected: 'application/x-msdownload', extension: 'txt', declared: 'text/plain' },
    { isText: true, extension: 'mp3', declared: 'audio/mpeg' },
    { isText: true, extension: 'html', declared: 'audio/wav' },
    { isText: true, extension: 'bin', declared: 'application/pdf' },
    { extension: 'csv', declared: 'text/csv' },
  ])('%j', (fields) => {
    expect(() => judgeFileKind(evidence(fields))).toThrow(expect.objectContaining({ code: 'unsupported_type' }));
  });

  it.each([
    { isText: true, extension: 'svg', declared: 'image/svg+xml' },
    { isText: true, extension: 'txt', declared: 'image/svg+xml' },
    { isText: true, extension: 'svg', declared: '' },
    { detected: 'image/tiff', extension: 'tiff', declared: 'image/tiff' },
    { detected: 'image/bmp', extension: 'bin' },
  ])('with the text for unsupported image formats: %j', (fields) => {
    expect(() => judgeFileKind(evidence(fields))).toThrow(TEXTS.files.imageFormat);
  });
});

describe('an XML file', () => {
  it.each([
    ['<?xml version="1.0"?>\n<?mso-application progid="Word.Document"?>\n<pkg:package xmlns:pkg="p">', 'opc'],
    ['<w:wordDocument xmlns:w="w">', 'opc'],
    ['<?xml version="1.0"?><office:document xmlns:office="o">', 'odf'],
    ['<?xml version="1.0"?><html>', undefined],
    ['<settings>', undefined],
  ])('%s is of format %s', (start, format) => {
    const kind = judgeFileKind(evidence({ isText: true, extension: 'xml', declared: 'text/xml', start }));
    expect(kind.format).toBe(format);
  });
});

describe('a document that its beginning or its name tells alone', () => {
  const TNEF = '\x78\x9f\x3e\x22\x01\x00';

  it.each([
    [{ start: TNEF, extension: 'dat', declared: 'application/ms-tnef' }, 'tnef'],
    [{ start: TNEF, extension: '' }, 'tnef'],
    [{ start: '\x09\x02\x06\x00\x00\x00\x10\x00', extension: 'xls', declared: 'application/vnd.ms-excel' }, 'sheet'],
    [{ start: '\xdb\xa5\x2d\x00', extension: 'doc', declared: 'application/msword' }, 'word'],
    [{ isText: true, start: '{"cells": []}', extension: 'ipynb', declared: 'text/plain' }, 'notebook'],
    [{ extension: 'p7m', declared: 'application/pkcs7-mime' }, 'smime'],
    [{ isText: true, start: 'BEGIN:VCARD', extension: 'vcf', declared: 'text/vcard' }, 'text'],
    [{ start: '\x01\x02', extension: 'vcf', declared: 'text/vcard' }, undefined],
    [{ isText: true, start: 'From a@b.c Thu Jan  1', extension: 'mbox', declared: 'application/mbox' }, 'mail'],
    [{ isText: true, start: 'Delivered-To: a@b.c\nReceived: by x', extension: 'msg' }, 'mail'],
    [{ isText: true, start: 'Content-Type: text/plain\r\nTo: a@b.c', extension: 'msg' }, 'mail'],
    [{ isText: true, start: 'From - Fri Jun  9 23:17:56 2000\r\nReturn-Path: <a@b.c>', extension: 'msg' }, 'mail'],
    [{ isText: true, start: '<?xml version="1.0"?>\n<Workbook xmlns="x">', extension: 'xls' }, 'sheet'],
    [{ isText: true, start: '<?xml version="1.0"?>\n<Workbook xmlns="x">', extension: 'xml' }, 'sheet'],
    [{ detected: 'application/gzip', extension: 'gz', declared: 'application/gzip' }, 'gzip'],
    [{ detected: 'application/x-tar', extension: 'tar', declared: 'application/x-tar' }, 'tar'],
  ])('%j is of format %s', (fields, format) => {
    expect(judgeFileKind(evidence(fields)).format).toBe(format);
  });

  it('is refused as a picture', () => {
    const fields = evidence({ start: TNEF, extension: 'png', declared: 'image/png' });
    expect(() => judgeFileKind(fields)).toThrow(expect.objectContaining({ code: 'unsupported_type' }));
  });
});

describe('a file under the name of another kind is refused with its real one', () => {
  const TEMPLATE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.template';

  it.each([
    [DOCX, 'pdf', 'Word document'],
    [TEMPLATE, 'txt', 'Word document'],
    ['application/vnd.oasis.opendocument.spreadsheet', 'pdf', 'OpenDocument spreadsheet'],
    ['application/epub+zip', 'pdf', 'EPUB book'],
    ['application/pdf', 'docx', 'PDF'],
    ['application/x-msdownload', 'docx', 'Windows program'],
    ['image/jpeg', 'pdf', 'JPEG image'],
  ])('%s as .%s: %s', (detected, extension, kind) => {
    const refused = expect.objectContaining({ params: expect.objectContaining({ kind }) as unknown }) as unknown;
    expect(() => judgeFileKind(evidence({ detected, extension }))).toThrow(refused as Error);
  });
});

it.each([
  ['AT&TFORM', 'DjVu document'],
  ['\xffWPC\x10', 'WordPerfect document'],
  ['\x00\x01\x00\x00Standard ACE DB', 'Access database'],
  ['\x01\x02\x03\x04', null],
])('names a binary file by its beginning: %j', (start, name) => {
  expect(nameOfBeginning(start)).toBe(name);
});

it('maps a media type to its usual extension', () => {
  expect(extensionForType('image/jpg')).toBe('jpg');
  expect(extensionForType('text/html')).toBeNull();
});
