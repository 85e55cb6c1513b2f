/** What a document really is, by its content. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'doc'
  | 'xls'
  | 'ppt'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'odg'
  | 'epub'
  | 'rtf'
  | 'mail'
  | 'msg'
  | 'tnef'
  | 'smime'
  | 'notebook'
  | 'html'
  | 'text'
  | 'zip'
  | 'rar'
  | 'gzip'
  | 'tar'
  | 'hwp'
  | 'iwork';

const KINDS: Record<DocumentKind, [noun: string, extensions: string]> = {
  pdf: ['PDF', 'pdf'],
  docx: ['Word document', 'docx docm dotx dotm'],
  xlsx: ['Excel workbook', 'xlsx xlsm xltx xltm xlsb xlam'],
  pptx: ['PowerPoint presentation', 'pptx pptm potx potm ppsx ppsm'],
  doc: ['Word document', 'doc dot wiz'],
  xls: ['Excel workbook', 'xls xlt xla xlw'],
  ppt: ['PowerPoint presentation', 'ppt pps pot'],
  odt: ['OpenDocument text', 'odt ott fodt'],
  ods: ['OpenDocument spreadsheet', 'ods ots fods'],
  odp: ['OpenDocument presentation', 'odp otp fodp'],
  odg: ['OpenDocument drawing', 'odg otg fodg'],
  epub: ['EPUB book', 'epub'],
  rtf: ['RTF document', 'rtf'],
  mail: ['e-mail', 'eml mht mhtml mbox'],
  msg: ['Outlook message', 'msg oft'],
  tnef: ['Outlook message', 'tnef'],
  smime: ['signed document', 'p7m'],
  notebook: ['Jupyter notebook', 'ipynb'],
  html: ['web page', 'html htm xhtml'],
  text: ['text file', 'txt csv tsv md log json'],
  zip: ['ZIP archive', 'zip jar'],
  rar: ['RAR archive', 'rar'],
  gzip: ['gzip archive', 'gzip'],
  tar: ['tar archive', 'tar'],
  hwp: ['Hancom document', 'hwp hwpx'],
  iwork: ['Apple iWork document', 'pages numbers'],
};

export const nounOf = (kind: DocumentKind): string => KINDS[kind][0];

/** The noun that an extension promises; undefined for other extensions. */
export function promisedNoun(extension: string): string | undefined {
  return Object.values(KINDS).find(([, extensions]) => extensions.split(' ').includes(extension))?.[0];
}

/** What texts may be named as: pages and mails are read as the text that they are too. */
const TEXTS: readonly (string | undefined)[] = [nounOf('text'), nounOf('html'), nounOf('mail')];

/** Whether the extension of a document promises another kind than it is of. */
export function isNamedOtherwise(extension: string, kind: DocumentKind): boolean {
  const promised = promisedNoun(extension);
  if (promised === undefined || promised === nounOf(kind)) return false;
  return kind !== 'text' || !TEXTS.includes(promised);
}
