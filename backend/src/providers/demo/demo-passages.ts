/** A numbered quotation of a file of a project, as prompts and results of tools have it. */
export interface DemoPassage {
  number: number;
  label: string;
  text: string;
}

/** Where the files of a project begin, below the question. */
const MATERIAL =
  /\n\n(?:The files of the project "|Passages from the files of the project "|\(This conversation belongs to the project "|\(A search in the files of the project ")/;

const HEAD = /^\[(\d+)\] "(?:[^"\\\n]|\\.)*", section \d+(?: \[([^\n]*)\])?:\n("{3,})\n/gm;

/** The question of a message without the files of its project. */
export function withoutMaterial(text: string): string {
  const at = text.search(MATERIAL);
  return at < 0 ? text : text.slice(0, at);
}

export function passagesIn(text: string): DemoPassage[] {
  const passages: DemoPassage[] = [];
  let end = 0;
  for (const { 0: head, 1: number, 2: label = '', 3: mark, index } of text.matchAll(HEAD)) {
    // A text that looks like a passage is quoted in one.
    if (index < end) continue;
    const start = index + head.length;
    const close = text.indexOf(`\n${mark}`, start);
    if (close < 0) break;
    passages.push({ number: Number(number), label, text: text.slice(start, close) });
    end = close;
  }
  return passages;
}

/** Characters of a question whose words are looked for: each is compared with each sentence. */
const ASKED_CHARACTERS = 500;

/** Letters of a word that are compared, so that its other forms count too. */
const STEM = 5;

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, STEM)));

/** The sentence that has most words of the question; null without one that shares a word with it. */
export function bestSentence(
  question: string,
  passages: readonly DemoPassage[],
): { number: number; text: string } | null {
  const wanted = [...wordsOf(question.slice(0, ASKED_CHARACTERS))];
  let best = { number: 0, text: '', score: 0 };
  for (const { number, label, text } of passages) {
    const ofLabel = wordsOf(label);
    for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
      const words = wordsOf(sentence);
      const found = wanted.filter((word) => words.has(word)).length;
      const score = found + (found > 0 ? wanted.filter((word) => ofLabel.has(word)).length : 0);
      if (score > best.score) best = { number, text: sentence.trim(), score };
    }
  }
  return best.score === 0 ? null : best;
}
