/** Letters that count A, B … Z, AA, BB, as Word does. */
const LETTERS: Record<string, string> = {
  upperLetter: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  lowerLetter: 'abcdefghijklmnopqrstuvwxyz',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  aiueo: 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  iroha: 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
  hebrew2: 'אבגדהוזחטיכלמנסעפצקרשת',
  arabicAlpha: 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي',
};

/** Numbers digit by digit. */
const DIGITS: Record<string, string> = {
  ideographDigital: '〇一二三四五六七八九',
  japaneseDigitalTenThousand: '〇一二三四五六七八九',
  taiwaneseDigital: '○一二三四五六七八九',
  koreanDigital: '영일이삼사오육칠팔구',
  koreanDigital2: '零一二三四五六七八九',
  decimalFullWidth: '０１２３４５６７８９',
  decimalFullWidth2: '０１２３４５６７８９',
  hindiNumbers: '०१२३४५६७८९',
  thaiNumbers: '๐๑๒๓๔๕๖๗๘๙',
};

/** How numbers are said in East Asia: digits, and the words for ten, a hundred and a thousand. */
interface Words {
  digits: string;
  units: string;
  /** What stands for zeros between digits. */
  zero: string;
  /** Whether a one is said before ten, in 10 to 19 and in others, and before a hundred. */
  isOneSaid: { first: boolean; inner: boolean; hundred: boolean };
}

const CHINESE: Words = {
  digits: '零一二三四五六七八九',
  units: '十百千',
  zero: '零',
  isOneSaid: { first: false, inner: true, hundred: true },
};

const JAPANESE: Words = { ...CHINESE, zero: '', isOneSaid: { first: false, inner: false, hundred: false } };

const ALL_ONES = { first: true, inner: true, hundred: true };

const WORDS: Record<string, Words> = {
  chineseCounting: CHINESE,
  chineseCountingThousand: CHINESE,
  taiwaneseCounting: CHINESE,
  taiwaneseCountingThousand: CHINESE,
  japaneseCounting: JAPANESE,
  koreanCounting: { ...JAPANESE, digits: '영일이삼사오육칠팔구', units: '십백천' },
  chineseLegalSimplified: { digits: '零壹贰叁肆伍陆柒捌玖', units: '拾佰仟', zero: '零', isOneSaid: ALL_ONES },
  ideographLegalTraditional: { digits: '零壹貳參肆伍陸柒捌玖', units: '拾佰仟', zero: '零', isOneSaid: ALL_ONES },
  japaneseLegal: { digits: '零壱弐参四伍六七八九', units: '拾百千', zero: '', isOneSaid: ALL_ONES },
};

const CIRCLES = ['decimalEnclosedCircle', 'decimalEnclosedCircleChinese'];
const FIRST_CIRCLE = 0x2460;
const LAST_CIRCLED = 20;

/** Numbers from here on are written in digits. */
const MAX_SAID = 10_000;

/** A number of a list. @param format as DOCX names it; other formats count in decimals */
export function numberText(value: number, format: string): string {
  if (!Number.isSafeInteger(value)) return String(value);
  const name = format.replace(/FullWidth$/, '');
  const letters = LETTERS[format] ?? LETTERS[name];
  if (letters !== undefined) return letterOf(value, [...letters]);
  if (format === 'lowerRoman') return roman(value).toLowerCase();
  if (format === 'upperRoman') return roman(value);
  if (format in DIGITS) return String(value).replace(/\d/g, (digit) => [...DIGITS[format]!][Number(digit)]!);
  if (format in WORDS && value > 0 && value < MAX_SAID) return said(value, WORDS[format]!);
  if (CIRCLES.includes(format) && value > 0 && value <= LAST_CIRCLED)
    return String.fromCharCode(FIRST_CIRCLE + value - 1);
  if (format === 'ordinal') return ordinal(value);
  return format === 'decimalZero' && value < 10 ? `0${value}` : String(value);
}

const letterOf = (value: number, letters: readonly string[]): string =>
  value < 1 ? '' : letters[(value - 1) % letters.length]!.repeat(Math.min(Math.ceil(value / letters.length), 10));

function said(value: number, { digits, units, zero, isOneSaid }: Words): string {
  const written = String(value);
  let text = '';
  let hasGap = false;
  for (const [index, digit] of [...written].entries()) {
    const place = written.length - 1 - index;
    if (digit === '0') {
      hasGap = true;
      continue;
    }
    if (hasGap) text += zero;
    hasGap = false;
    const isSaid = place === 1 ? (index === 0 ? isOneSaid.first : isOneSaid.inner) : place === 0 || isOneSaid.hundred;
    text += (digit !== '1' || isSaid ? digits[Number(digit)]! : '') + (units[place - 1] ?? '');
  }
  return text;
}

function ordinal(value: number): string {
  const rest = value % 100;
  const ending = rest > 10 && rest < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(value: number): string {
  let rest = Math.min(value, 3999);
  let text = '';
  for (const [size, mark] of ROMAN) {
    while (rest >= size) {
      text += mark;
      rest -= size;
    }
  }
  return text;
}
