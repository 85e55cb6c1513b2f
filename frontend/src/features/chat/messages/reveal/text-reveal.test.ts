import { TextReveal } from './text-reveal';

const MAX_LAG_MS = 120;
const FRAME_MS = 16;

/** A reveal after pieces of 100 characters, one each `gapMs`; the last one arrived at `at`. */
function revealWithGap(gapMs: number, pieces = 3) {
  const reveal = new TextReveal();
  for (let piece = 1; piece <= pieces; piece += 1) reveal.grow(piece * 100, piece * gapMs);
  return { reveal, at: pieces * gapMs };
}

test('shows the first piece at once', () => {
  const reveal = new TextReveal();
  reveal.grow(500, 0);
  expect(reveal.visibleLength(0)).toBe(500);
});

test('shows the text that it starts with at once', () => {
  expect(new TextReveal(300).view('x'.repeat(300), 0)).toHaveLength(300);
});

test('reveals a piece evenly over the time between pieces', () => {
  const { reveal, at } = revealWithGap(100);
  const lengths = [0, 10, 25, 50, 75, 100].map((ms) => reveal.visibleLength(at + ms));
  expect(lengths).toEqual([200, 210, 225, 250, 275, 300]);
});

test('reveals steady pieces at a constant rate', () => {
  const reveal = new TextReveal();
  const lengths: number[] = [];
  for (let ms = 0; ms <= 1_000; ms += 10) {
    if (ms % 100 === 0) reveal.grow(ms + 100, ms);
    lengths.push(reveal.visibleLength(ms));
  }
  const steps = lengths.slice(11).map((length, index) => length - (lengths[index + 10] ?? 0));
  expect(new Set(steps)).toEqual(new Set([10]));
});

test.each([1, 5, 20, 33, 39])('adds no latency to pieces that arrive every %i ms', (gapMs) => {
  const reveal = new TextReveal();
  for (let piece = 1; piece <= 100; piece += 1) {
    reveal.grow(piece * 30, piece * gapMs);
    expect(reveal.visibleLength(piece * gapMs)).toBe(piece * 30);
  }
});

test('adds no latency to the single tokens of a slow model', () => {
  const reveal = new TextReveal();
  for (let token = 1; token <= 20; token += 1) {
    reveal.grow(token * 5, token * 100);
    expect(reveal.visibleLength(token * 100)).toBe(token * 5);
  }
});

test('adapts to a longer gap and a shorter one within a second', () => {
  const reveal = new TextReveal();
  let [now, length] = [0, 0];
  const pieces = (count: number, gapMs: number) => {
    for (let piece = 0; piece < count; piece += 1) reveal.grow((length += 50), (now += gapMs));
  };
  pieces(20, 20);
  expect(reveal.visibleLength(now)).toBe(length);
  pieces(10, 100);
  expect(reveal.visibleLength(now + 50)).toBeLessThan(length);
  expect(reveal.visibleLength(now + 100)).toBe(length);
  pieces(20, 20);
  expect(reveal.visibleLength(now)).toBe(length);
});

test('counts events that the network delivered together as one piece', () => {
  const reveal = new TextReveal();
  for (let at = 0; at <= 500; at += 100) {
    for (let event = 1; event <= 5; event += 1) reveal.grow(at + event * 20, at);
  }
  expect(reveal.visibleLength(500)).toBe(500);
  expect(reveal.visibleLength(550)).toBe(550);
  expect(reveal.visibleLength(600)).toBe(600);
});

test('pauses of minutes do not make the reveal longer than its bound', () => {
  const { reveal, at } = revealWithGap(60_000, 5);
  expect(reveal.visibleLength(at + 50)).toBeLessThan(500);
  expect(reveal.visibleLength(at + MAX_LAG_MS - FRAME_MS)).toBe(500);
});

test('finish shows all text, and a later piece is revealed evenly again', () => {
  const { reveal, at } = revealWithGap(100);
  reveal.finish();
  expect(reveal.visibleLength(at)).toBe(300);
  reveal.grow(400, at + 100);
  expect(reveal.visibleLength(at + 150)).toBe(350);
});

test('a text that did not grow changes nothing', () => {
  const { reveal, at } = revealWithGap(100);
  reveal.grow(300, at + 50);
  expect(reveal.visibleLength(at + 50)).toBe(250);
});

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const GRAPHEMES = ['a', 'b', ' ', '\n', '漢', '😀', 'e\u0301', '👩‍👩‍👧', '🇮🇩', '👍🏽', 'नि'];

/** Text of random graphemes that arrives in random pieces, and the positions between its graphemes. */
function randomPieces(random: () => number) {
  const pick = (count: number) => Math.floor(random() * count);
  const gapMs = 1 + pick(200);
  const boundaries = new Set([0]);
  const pieces: { at: number; text: string }[] = [];
  let [text, at] = ['', 0];
  for (let piece = 0; piece < 15; piece += 1, at += gapMs * random() * 2) {
    for (let left = 1 + pick(80); left > 0; left -= 1) {
      text += GRAPHEMES[pick(GRAPHEMES.length)] ?? '';
      boundaries.add(text.length);
    }
    pieces.push({ at, text });
  }
  return { pieces, boundaries, text, endsAt: at };
}

test('another, shorter text is visible at once, and grows from there', () => {
  const reveal = new TextReveal();
  for (const at of [0, 80, 160]) reveal.grow(100 + at, at);
  reveal.view('x'.repeat(260), 170);
  reveal.grow(5, 180);
  expect(reveal.view('Hello', 180)).toBe('Hello');
  reveal.grow(9, 181);
  expect(reveal.view('Hello you', 400)).toBe('Hello you');
});

test('random pieces: the view is a growing prefix of whole graphemes, at most 120 ms behind', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { pieces, boundaries, text, endsAt } = randomPieces(seededRandom(seed));
    const reveal = new TextReveal();
    const faults: string[] = [];
    let [received, shown] = ['', ''];
    for (let now = 0; now < endsAt + MAX_LAG_MS; now += FRAME_MS) {
      for (const piece of pieces.filter(({ at }) => at > now - FRAME_MS && at <= now)) {
        received = piece.text;
        reveal.grow(received.length, piece.at);
      }
      const view = reveal.view(received, now);
      const due = pieces.findLast(({ at }) => at <= now - (MAX_LAG_MS - FRAME_MS))?.text ?? '';
      if (!text.startsWith(view)) faults.push(`${now}: not a prefix`);
      if (!view.startsWith(shown)) faults.push(`${now}: shorter than before`);
      if (!view.startsWith(due)) faults.push(`${now}: late`);
      if (!boundaries.has(view.length)) faults.push(`${now}: a split grapheme`);
      shown = view;
    }
    const isComplete = shown === text;
    expect({ seed, faults, isComplete }).toEqual({ seed, faults: [], isComplete: true });
  }
});
