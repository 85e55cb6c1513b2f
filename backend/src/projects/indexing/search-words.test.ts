import { askedWords, folded, indexedWords } from './search-words.js';

it.each([
  ['Kündigung', 'kundigung'],
  ['Ku\u0308ndigung', 'kundigung'],
  ['STRASSE Straße', 'strasse strasse'],
  ['Crème brûlée, Œuvre', 'creme brulee, oeuvre'],
  ['ＩＳＯ－９００１ ﬁnal', 'iso-9001 final'],
  ['Łódź, Ærø, İstanbul', 'lodz, aero, istanbul'],
  ['co\u00adope\u200brate', 'cooperate'],
  ['العَقْد والعقود بالعقد', 'عقد عقود عقد'],
  ['العدد ٩٠٠١ ۴', 'عدد 9001 4'],
  ['ال', 'ال'],
  ['ёлка', 'елка'],
  ['ガス', 'ガス'],
  ['한국어', '한국어'],
  ['§ 12', '§ 12'],
])('folds %j to %j', (text, form) => {
  expect(folded(text)).toBe(form);
});

it('cuts scripts without blanks into overlapping pieces, beside the words', () => {
  expect(indexedWords('ISO 申請退款')).toEqual({ words: 'iso  ', grams: ['申請', '請退', '退款', '款'] });
  expect(askedWords('退款')).toEqual({ words: ' ', grams: ['退款'], beginnings: [] });
  expect(askedWords('款')).toEqual({ words: ' ', grams: [], beginnings: ['款'] });
  expect(indexedWords('ลาพัก').grams).toContain('ลาพ');
  expect(askedWords('ลา').beginnings).toEqual(['ลา']);
  expect(indexedWords('plain words')).toEqual({ words: 'plain words', grams: [] });
});

it.each([
  ['and/or', 'and or'],
  ['report.pdf, info@firm.example', 'report pdf, info firm example'],
  ['a <limit> & 3.14 of ISO-9001', 'a  limit    3.14 of iso 9001'],
])('parts what Postgres would read as one word in %j', (text, words) => {
  expect(indexedWords(text).words).toBe(words);
});

it('has long words backwards too, for the last parts of compounds', () => {
  expect(indexedWords('Die Kündigungsfrist, zehn Zeichen').grams).toEqual(['<tsirfsgnugidnuk']);
});

it('looks for the endings of Japanese words only where a question has nothing else', () => {
  expect(askedWords('返金はできますか').grams).toEqual(['返金', '金は']);
  expect(askedWords('ありがとう').grams).toEqual(['あり', 'りが', 'がと', 'とう']);
});

it.each([
  ['للموظف والموظف بالموظف', 'موظف موظف موظف'],
  ['للمس', 'للمس'],
  ['חופשה לחופשה והחופשה', 'חופשה חופשה חופשה'],
  ['הכנסה להכנסה שלום', 'כנסה כנסה שלום'],
])('finds the words in %j without what is written as one with them', (text, words) => {
  expect(indexedWords(text).words).toBe(words);
});

it('finds a word of Korean with any particle', () => {
  expect(indexedWords('환불은').grams).toContain(askedWords('환불').grams[0]);
});

it('takes linear time for long texts', () => {
  for (const piece of ['退', 'ü', 'ال', 'لل', 'ה', 'ก', 'a'])
    expect(indexedWords(piece.repeat(500_000)).words.length).toBeGreaterThan(0);
});
