import iconv from 'iconv-lite';
import { decodeText } from '../../inspection/text-content.js';
import { decodeAnyText } from './text-file.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

it.each([
  ['words of Western Europe', bytes('Caf', [0xe9], ' au lait\n'), 'Café au lait\n', 'Windows-1252'],
  ['lines of UTF-8 before others', bytes('José,León\nRen', [0xe9], 'e\n'), 'José,León\nRenée\n', 'Windows-1252'],
  ['ISO-2022-JP, all of whose bytes are ASCII', bytes('\x1b$BF|K\\8l\x1b(B\n'), '日本語\n', 'ISO-2022-JP'],
  [
    'ISO-2022-KR, whose shifts are controls',
    bytes('\x1b$)C', [0x0e], ':OA6<1', [0x0f], ' ', [0x0e], ';g6w5i@:', [0x0f], '\n(Seoul)\n'),
    '북조선 사람들은\n(Seoul)\n',
    'ISO-2022-KR',
  ],
  ['UTF-8 with escapes of a terminal', bytes('\x1b(BGröße ✓\x1b(B\n'), '\x1b(BGröße ✓\x1b(B\n', null],
  ['ASCII with escapes of a terminal', bytes('\x1b(Bok\x1b(B\n'), '\x1b(Bok\x1b(B\n', null],
  ['UTF-8 with a bad byte', bytes('José, León', [0xe9], '\n'), 'José, León\ufffd\n', null],
  [
    'a text that ends as in DOS',
    bytes('Gr', [0x94, 0xe1], 'e und Stra', [0xe1], 'e\r\n', [0x1a, 0x1a]),
    'Größe und Straße\r\n',
    'CP850',
  ],
  ['a log with a zero', bytes('a'.repeat(200), [0], '\n'), `${'a'.repeat(200)}\0\n`, null],
])('decodes %s', (_, given, text, guessed) => {
  expect(decodeAnyText(given)).toEqual({ text, guessed });
});

it.each([
  ['XML', 'windows-1250', '<?xml version="1.0" encoding="windows-1250"?>\n<a>Łódź, café</a>'],
  ['a page', 'iso-8859-15', '<html><head><meta charset=iso-8859-15></head>1 €</html>'],
  ['a style sheet', 'koi8-r', '@charset "koi8-r";\na::before { content: "да" }'],
  ['source code', 'cp866', '#!/usr/bin/python\n# -*- coding: cp866 -*-\nprint("да")'],
  ['a list of Emacs', 'euc-jp', ';; coding: euc-jp\n日本'],
])('decodes %s in the encoding that it says', (_, encoding, text) => {
  expect(decodeAnyText(iconv.encode(text, encoding))).toEqual({ text, guessed: null });
});

it.each([
  ['no encoding', 'none-such'],
  ['one that it is not in', 'utf-8'],
])('guesses the encoding of a text that says %s', (_, name) => {
  const text = `<?xml version="1.0" encoding="${name}"?><a>Привет, как дела сегодня</a>`;
  expect(decodeAnyText(iconv.encode(text, 'windows-1251'))).toEqual({ text, guessed: 'Windows-1251' });
});

const GERMAN = 'Der Empfänger bestätigt, daß die Lieferung vollständig ist. Mit freundlichen Grüßen, Jürgen Weiß\r\n';
const FRENCH =
  'Le règlement sera effectué à réception de la facture. Où êtes-vous allé cet été ? Déjà vu, très bien.\r\n';
const SPANISH = '¿Cómo está? La reunión se celebrará mañana. El señor Núñez explicará la situación económica.\r\n';
const POLISH = 'Imię;Miejscowość;Kwota\r\nŁukasz;Łódź;12,50\r\nWszystkie należności zostaną uregulowane, proszę\r\n';
const CZECH =
  'Vážení zákazníci, děkujeme za vaši objednávku. Zboží bude odesláno během tří dnů. Účet najdete v příloze.\r\n';
const RUSSIAN = 'Имя;Город;Сумма\r\nИван;Москва;100\r\nСобрание состоится в понедельник, просим подготовить отчёты\r\n';
const UKRAINIAN = 'Шановні колеги! Повідомляємо, що збори відбудуться у понеділок. Їжак і заєць.\r\n';
const GREEK = 'Όνομα;Πόλη;Ποσό\r\nΓιάννης;Αθήνα;100\r\nΆρα η συνάντηση θα γίνει τη Δευτέρα το πρωί\r\n';
const TURKISH =
  'Değerli müşterimiz, siparişiniz için teşekkür ederiz. Ürünleriniz üç iş günü içinde gönderilecektir.\r\n';
const DANISH =
  'Kære kunde, tak for din bestilling. Varerne bliver sendt på lørdag. Vi ønsker dig en god påske på Ærø.\r\n';
const HEBREW = 'שם;עיר;סכום\r\nדוד;חיפה;100\r\nאנו מודים לכם על ההזמנה\r\n';
const ARABIC = 'الاسم;المدينة;المبلغ\r\nمحمد;القاهرة;100\r\nنشكركم على طلبكم\r\n';
const THAI = 'ชื่อ;เมือง;จำนวน\r\nสมชาย;กรุงเทพ;100\r\nขอขอบคุณสำหรับการสั่งซื้อ\r\n';
const LITHUANIAN =
  'Gerbiami klientai, dėkojame už jūsų užsakymą. Prekės bus išsiųstos per tris dienas. Šiauliai, Ąžuolas.\r\n';
const HUNGARIAN =
  'Tisztelt Ügyfelünk, köszönjük megrendelését. Kérjük, erősítse meg az üzenet kézhezvételét. Győr, fűtő.\r\n';
const JAPANESE = '名前,部署\r\n山田太郎,営業部\r\n一覧を確認してください。\r\n';
const CHINESE = '姓名,部门\r\n张三,销售部\r\n请确认一下订单的内容。\r\n';
const TAIWANESE = '姓名,部門\r\n王小明,業務部\r\n請確認一下訂單的內容。\r\n';
const KOREAN = '이름,부서\r\n김철수,영업부\r\n주문 내용을 확인해 주세요.\r\n';

describe.each([
  ['cp437', 'CP437 or CP850', [GERMAN, FRENCH, SPANISH]],
  ['cp850', 'CP850', [GERMAN, FRENCH, SPANISH, DANISH]],
  ['cp852', 'CP852', [POLISH, CZECH, HUNGARIAN]],
  ['cp855', 'CP855', [RUSSIAN]],
  ['cp866', 'CP866', [RUSSIAN]],
  ['cp1125', 'CP1125', [UKRAINIAN]],
  ['cp737', 'CP737', [GREEK]],
  ['cp857', 'CP857', [TURKISH]],
  ['cp862', 'CP862', [HEBREW]],
  ['cp775', 'CP775', [LITHUANIAN]],
  ['macroman', 'Mac Roman', [GERMAN, FRENCH, SPANISH, DANISH]],
  ['maccyrillic', 'Mac Cyrillic', [RUSSIAN, UKRAINIAN]],
  ['maccenteuro', 'Mac Central European', [POLISH, CZECH]],
  ['macgreek', 'Mac Greek', [GREEK]],
  ['macturkish', 'Mac Turkish', [TURKISH]],
  ['windows-1250', 'Windows-1250', [POLISH, CZECH]],
  ['windows-1251', 'Windows-1251', [RUSSIAN, UKRAINIAN]],
  ['windows-1252', 'Windows-1252', [GERMAN, FRENCH, SPANISH, DANISH]],
  ['windows-1253', 'Windows-1253', [GREEK]],
  ['windows-1254', 'Windows-1254', [TURKISH]],
  ['windows-1255', 'Windows-1255', [HEBREW]],
  ['windows-1256', 'Windows-1256', [ARABIC]],
  ['windows-1257', 'Windows-1257', [LITHUANIAN]],
  ['windows-874', 'Windows-874', [THAI]],
  ['koi8-r', 'KOI8-R', [RUSSIAN]],
  ['koi8-u', 'KOI8-U', [UKRAINIAN]],
  ['iso-8859-2', 'ISO-8859-2', [POLISH, CZECH]],
  ['iso-8859-5', 'ISO-8859-5', [RUSSIAN, UKRAINIAN]],
  ['iso-8859-6', 'ISO-8859-6', [ARABIC]],
  ['iso-8859-7', 'ISO-8859-7', [GREEK]],
  ['shift_jis', 'Shift_JIS', [JAPANESE]],
  ['euc-jp', 'EUC-JP', [JAPANESE]],
  ['gb18030', 'GB18030', [CHINESE]],
  ['big5', 'Big5', [TAIWANESE]],
  ['euc-kr', 'EUC-KR', [KOREAN]],
  ['utf-16le', 'UTF-16', [GERMAN, JAPANESE, CHINESE, KOREAN, RUSSIAN, LITHUANIAN]],
  ['utf-16be', 'UTF-16', [GERMAN, JAPANESE, CHINESE, KOREAN, RUSSIAN, LITHUANIAN]],
  ['utf-32le', 'UTF-32', [GERMAN, JAPANESE, RUSSIAN]],
  ['utf-32be', 'UTF-32', [GERMAN, JAPANESE, RUSSIAN]],
])('decodes %s, which nothing names', (encoding, shown, texts) => {
  it.each(texts)('%s', async (text) => {
    const given = iconv.encode(text, encoding);
    expect(iconv.decode(given, encoding)).toBe(text);
    const decoded = decodeAnyText(given);
    expect(decoded?.text).toBe(text);
    expect(shown).toContain(decoded?.guessed);
    expect(await decodeText(given)).toEqual({ text: null });
  });
});

it.each([
  ['a table of names', 'Name;Straße\r\nMüller;Größe 5\r\nJörg;Öhringen\r\n', 'Windows-1252'],
  ['a table of prices', 'Nom;Prix\nÉlève;1 200\nça va;où\n', 'Windows-1252'],
  ['a price', 'Menü;5 €\n', 'Windows-1252'],
  ['quotes and dashes', 'Müller & Söhne – „Angebot“ 12\n', 'Windows-1252'],
  ['a line with an apostrophe', 'l’été à Paris\n', 'Windows-1252'],
  ['a line in Cyrillic', 'ООО «Ромашка»;ИНН\n', 'Windows-1251'],
])('decodes %s without signs or letters of another script inside of its words', (_, text, guessed) => {
  expect(decodeAnyText(iconv.encode(text, guessed))).toEqual({ text, guessed });
});

it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('decodes %s by its mark', async (encoding) => {
  for (const text of [GERMAN, CHINESE, '𠮷野家\n', 'a']) {
    const given = iconv.encode(text, encoding, { addBOM: true });
    expect(decodeAnyText(given)).toEqual({ text, guessed: null });
    expect(await decodeText(given)).toEqual({ text: encoding.startsWith('utf-16') ? text : null });
  }
});

it('decodes UTF-16 with halves of characters, as programs cut it', async () => {
  const given = Buffer.concat([iconv.encode(GERMAN.repeat(3), 'utf-16le', { addBOM: true }), Buffer.from('\n')]);
  expect(decodeAnyText(given)).toEqual({ text: `${GERMAN.repeat(3)}\ufffd`, guessed: null });
  expect(await decodeText(given)).toEqual({ text: null });
});

it('decodes UTF-16 without a mark whose letters have low bytes of control characters', () => {
  const text = 'Xin chào thế giới, đây là văn bản\n';
  expect(decodeAnyText(Buffer.from(text, 'utf16le'))).toEqual({ text, guessed: 'UTF-16' });
});

it.each([
  ['a price', 'Prix : 12,50 €\n'],
  ['a price before its amount', 'Total;€ 12\nName;Ani\n'],
  ['a word', 'Le cœur du réseau\n'],
  ['a table of one row', 'Nom;Prix\nCafé;12 €\n'],
])('decodes %s in ISO-8859-15 as short as it may be', (_, text) => {
  expect(decodeAnyText(iconv.encode(text, 'iso-8859-15'))).toEqual({ text, guessed: 'ISO-8859-15' });
});

it.each(['a sum of 5½ € for José', 'Größe: 5½ €'])('decodes %s in Windows-1252', (text) => {
  expect(decodeAnyText(iconv.encode(text, 'windows-1252'))).toEqual({ text, guessed: 'Windows-1252' });
});

it.each([
  ['big5', '2011 中文測試 中a中b文\n會議 5 中心，各位同仁好，請參加年終聯歡晚會。\n'],
  ['gb18030', '共 5 人参加，价格 12 元。中文测试ABC，请各位同事准时参加会议。\n'],
])('decodes %s, whose bytes look like the euro of ISO-8859-15', (encoding, text) => {
  expect(decodeAnyText(iconv.encode(text, encoding))?.text).toBe(text);
});
