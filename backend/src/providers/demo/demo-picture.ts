import { createHash } from 'node:crypto';
import { encodePng } from './png.js';

const SIZE = 512;
/** Bitmaps of letters, five dots wide and seven high; each number is a row. */
const LETTERS: Record<string, number[]> = {
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  M: [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
  O: [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
};
const LABEL = 'DEMO';
const DOT = 12;
const SHADOW = { offset: 4, colour: [20, 20, 30] };
const FACE = { offset: 0, colour: [255, 255, 255] };

interface Disc {
  x: number;
  y: number;
  radius: number;
  colour: number[];
}

/** Draws a PNG labelled DEMO. Colours and discs are derived from the prompt: equal prompts give equal pictures. */
export function drawDemoPicture(prompt: string): Buffer {
  const seed = createHash('sha256').update(prompt).digest();
  const pixels = new Uint8Array(SIZE * SIZE * 3);
  paintGradient(pixels, colourAt(seed, 0), colourAt(seed, 3));
  for (const at of [6, 13, 20]) paintDisc(pixels, discAt(seed, at));
  // The shadow keeps the label readable on any colour.
  for (const layer of [SHADOW, FACE]) write(pixels, layer.offset, layer.colour);
  return encodePng(SIZE, SIZE, pixels);
}

/** Fills the picture with a diagonal gradient from the top left corner. */
function paintGradient(pixels: Uint8Array, from: number[], to: number[]): void {
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        pixels[(y * SIZE + x) * 3 + channel] = mix(from[channel], to[channel], (x + y) / (2 * SIZE));
      }
    }
  }
}

/** Paints a half-transparent disc, so that overlaps are visible. */
function paintDisc(pixels: Uint8Array, { x: centreX, y: centreY, radius, colour }: Disc): void {
  for (let y = Math.max(0, centreY - radius); y < Math.min(SIZE, centreY + radius); y += 1) {
    for (let x = Math.max(0, centreX - radius); x < Math.min(SIZE, centreX + radius); x += 1) {
      if ((x - centreX) ** 2 + (y - centreY) ** 2 > radius ** 2) continue;
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (y * SIZE + x) * 3 + channel;
        pixels[at] = mix(pixels[at], colour[channel], 0.5);
      }
    }
  }
}

function write(pixels: Uint8Array, offset: number, colour: number[]): void {
  const left = (SIZE - (LABEL.length * 6 - 1) * DOT) / 2 + offset;
  const top = (SIZE - 7 * DOT) / 2 + offset;
  [...LABEL].forEach((letter, index) => {
    LETTERS[letter]?.forEach((row, y) => {
      for (let x = 0; x < 5; x += 1) {
        if (row & (0b10000 >> x)) square(pixels, left + (index * 6 + x) * DOT, top + y * DOT, colour);
      }
    });
  });
}

function square(pixels: Uint8Array, left: number, top: number, colour: number[]): void {
  for (let y = top; y < top + DOT; y += 1) {
    for (let x = left; x < left + DOT; x += 1) pixels.set(colour, (y * SIZE + x) * 3);
  }
}

function discAt(seed: Buffer, at: number): Disc {
  return {
    x: byteAt(seed, at) * 2,
    y: byteAt(seed, at + 1) * 2,
    radius: 40 + (byteAt(seed, at + 2) >> 1),
    colour: colourAt(seed, at + 3),
  };
}

function colourAt(seed: Buffer, at: number): number[] {
  return [byteAt(seed, at), byteAt(seed, at + 1), byteAt(seed, at + 2)];
}

function byteAt(seed: Buffer, at: number): number {
  return seed[at % seed.length] ?? 0;
}

function mix(from = 0, to = 0, share: number): number {
  return from + (to - from) * share;
}
