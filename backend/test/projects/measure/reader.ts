import { conceptOf } from './words.js';

/** A numbered passage as prompts have it: its number, the line of its place, its text between quotation marks. */
const PASSAGE = /^\[(\d+)\] (.+):\n("{3,})\n([\s\S]*?)\n\3$/gm;

const WORD = /[\p{L}\p{N}]+/gu;

/** Concepts of a question that a passage must have before the reader takes it for an answer. */
const ENOUGH = 0.5;

const conceptsOf = (text: string): Set<string> =>
  new Set([...text.toLowerCase().matchAll(WORD)].map(([word]) => conceptOf(word)).filter((word) => word !== null));

/**
 * Stands for a model that reads passages: it quotes and cites the passage that has most concepts of the question, the first of
 * several, and declines where none has half of them.
 */
export function readAnswer(prompt: string, question: string): string {
  const asked = conceptsOf(question);
  let best = { number: '', share: 0, text: '' };
  for (const [, number, place, , text] of prompt.matchAll(PASSAGE)) {
    const found = conceptsOf(`${place!} ${text!}`);
    const share = [...asked].filter((concept) => found.has(concept)).length / asked.size;
    if (share > best.share) best = { number: number!, share, text: text! };
  }
  if (best.share < ENOUGH) return 'The files do not say this.';
  return `${best.text.split('\n').slice(0, 3).join(' ')} [${best.number}]`;
}
