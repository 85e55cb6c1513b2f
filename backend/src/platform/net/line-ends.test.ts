import { LineEnds } from './line-ends.js';

const STREAM = 'data: {"a":{"b":1}}\ndata:{"c":2}\ndata: [DONE]\n';
const SEPARATED = 'data: {"a":{"b":1}}\n\ndata:{"c":2}\n\ndata: [DONE]\n';

it('separates events that one line end divides, for every cut', () => {
  for (let at = 0; at <= STREAM.length; at += 1) {
    for (let to = at; to <= STREAM.length; to += 1) {
      const ends = new LineEnds();
      const parts = [STREAM.slice(0, at), STREAM.slice(at, to), STREAM.slice(to)];
      expect(`${parts.map((part) => ends.pass(part)).join('')}${ends.pass('\n\n')}`).toBe(`${SEPARATED}\n\n`);
    }
  }
});

it('separates objects without a field, for every cut', () => {
  const lines = '{"a":{"b":1}}\n{"c":2}\n';
  for (let at = 0; at <= lines.length; at += 1) {
    const ends = new LineEnds();
    expect(`${ends.pass(lines.slice(0, at))}${ends.pass(lines.slice(at))}${ends.pass('\n\n')}`).toBe(
      '{"a":{"b":1}}\n\n{"c":2}\n\n\n',
    );
  }
});

it('leaves an event on several lines as it is', () => {
  const event = 'data: {"choices": [{"a":1},\ndata: {"b":2}\ndata: ]}\n\n';
  expect(new LineEnds().pass(event)).toBe(event);
});
