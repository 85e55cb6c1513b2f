import { solveArithmetic } from './arithmetic.js';
import { DEMO_SUGGESTIONS, DEMO_TEXTS, type DemoLanguage } from './demo-texts.js';
import { snippetFor } from './snippets.js';

export interface DemoQuestion {
  text: string;
  /** Number of attached images and recordings. */
  attachments: number;
  /** Position among the user's messages in the thread, from 1. */
  turn: number;
  now: Date;
  /** Results of the tools that were called for this answer. */
  results?: { tool: string; result: string }[];
}

const INDONESIAN = new RegExp(
  `\\b(?:${[
    'apa|apakah|bagaimana|mengapa|kenapa|siapa|kapan|berapa|mana|tolong|buat|buatkan|tulis|tuliskan|jelaskan|hitung',
    'saya|aku|anda|kamu|kami|yang|dengan|untuk|tentang|dari|dan|ini|itu|adalah|ada|bisa|halo|hari|sekarang|terima|kasih',
  ].join('|')})\\b`,
  'gi',
);
const GREETING =
  /^\s*(hi|hello|hey|halo|hai|selamat (pagi|siang|sore|malam)|good (morning|afternoon|evening))\b[^?]{0,20}$/i;
const DATE = /\b(what (day|date|time)|today'?s date|hari apa|tanggal berapa|jam berapa|pukul berapa)\b/i;
const CODE = /\b(code|function|program|script|javascript|typescript|python|kode|fungsi)\b/i;
const HAIKU = /\bhaiku\b|\bpuisi\b|\bpoem\b/i;
const QUOTE_LENGTH = 280;

/** Returns a demo answer in markdown. It depends on the question alone, which includes the time. */
export function demoAnswer(question: DemoQuestion): string {
  const language = languageOf(question.text);
  const texts = DEMO_TEXTS[language];
  const known = knownAnswer(question, language);
  const parts = known ? [...known, texts.more, list(DEMO_SUGGESTIONS[language])] : openAnswer(question, language);
  if (question.attachments > 0) parts.push(texts.attachment);
  parts.push(`### ${texts.noticeTitle}`, list(texts.notice), fence('bash', texts.environment));
  return parts.join('\n\n');
}

export const asksForTime = (text: string): boolean => DATE.test(text);

export function languageOf(text: string): DemoLanguage {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const indonesian = text.match(INDONESIAN)?.length ?? 0;
  return indonesian > 0 && indonesian * 8 >= words ? 'id' : 'en';
}

/** Sections for results of tools, greetings, sums, dates, poems and code, which need no model; null for other questions. */
function knownAnswer(question: DemoQuestion, language: DemoLanguage): string[] | null {
  const texts = DEMO_TEXTS[language];
  const { titles } = texts;
  const quoted = [texts.asked, quote(question.text)];
  if (question.results && question.results.length > 0) {
    const rows = question.results.map(({ tool, result }) => [`\`${tool}\``, cellOf(result)]);
    return [`## ${titles.tool}`, ...quoted, texts.tool, table(texts.columns, rows)];
  }
  if (GREETING.test(question.text)) return [`## ${titles.greeting}`, texts.greeting, list(texts.tour)];
  const sum = solveArithmetic(question.text);
  if (sum) {
    const rows = [
      [texts.expression, `\`${sum.expression}\``],
      [texts.result, `**${roundedOf(sum.value)}**`],
    ];
    return [`## ${titles.arithmetic}`, ...quoted, texts.arithmetic, table(texts.columns, rows)];
  }
  if (DATE.test(question.text)) {
    return [`## ${titles.date}`, ...quoted, texts.date, table(texts.columns, datesOf(question.now, language))];
  }
  if (HAIKU.test(question.text)) {
    const haiku = texts.haikus[question.text.length % texts.haikus.length] ?? '';
    return [`## ${titles.haiku}`, ...quoted, texts.haiku, quote(haiku)];
  }
  if (CODE.test(question.text)) {
    const { language: name, code } = snippetFor(question.text);
    return [`## ${titles.code}`, ...quoted, texts.code, fence(name, code)];
  }
  return null;
}

/** Sections for all other questions: general advice, facts about the message and a tour of the product. */
function openAnswer(question: DemoQuestion, language: DemoLanguage): string[] {
  const texts = DEMO_TEXTS[language];
  return [
    `## ${texts.titles.general}`,
    texts.asked,
    quote(question.text),
    texts.general,
    numbered(texts.steps),
    table(texts.columns, seenOf(question, language)),
    `### ${texts.tourTitle}`,
    list(texts.tour),
  ];
}

function seenOf({ text, turn, attachments }: DemoQuestion, language: DemoLanguage): string[][] {
  const { seen } = DEMO_TEXTS[language];
  return [
    [seen.words, String(text.split(/\s+/).filter(Boolean).length)],
    [seen.turn, String(turn)],
    [seen.attachments, String(attachments)],
  ];
}

function datesOf(now: Date, language: DemoLanguage): string[][] {
  const texts = DEMO_TEXTS[language];
  const locale = language === 'id' ? 'id-ID' : 'en-GB';
  return [
    [texts.day, new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(now)],
    [texts.time, new Intl.DateTimeFormat(locale, { timeStyle: 'long' }).format(now)],
    [texts.universal, `\`${now.toISOString()}\``],
  ];
}

/** Rounds to 12 digits, so that 0.1 + 0.2 reads 0.3. */
function roundedOf(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** The beginning of a result on one line of a table. */
function cellOf(result: string): string {
  return [...result.trim()]
    .slice(0, QUOTE_LENGTH)
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/([|`<\\])/g, '\\$1');
}

/** Quotes the beginning of a text. Line breaks and code fences in the text do not end the quotation. */
function quote(text: string): string {
  const points = [...text.trim()];
  const short = points.length > QUOTE_LENGTH ? `${points.slice(0, QUOTE_LENGTH).join('')}…` : points.join('');
  return short
    .split(/\r?\n/)
    .map((line) => `> ${line.replace(/([`<\\])/g, '\\$1')}  `.trimEnd())
    .join('  \n');
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function numbered(items: string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

function table(columns: string[], rows: string[][]): string {
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
