import { starterLines } from './starters.service.js';

describe('starterLines', () => {
  it('removes list markers and quotation marks', () => {
    expect(
      starterLines('1. How do bees find home?\n- "Plan a weekend in Bandung."\n* **Explain tides simply.**'),
    ).toEqual(['How do bees find home?', 'Plan a weekend in Bandung.', 'Explain tides simply.']);
  });

  it('leaves out introductions, duplicates, very long lines and truncated lines', () => {
    const answer = `Here are some ideas:\nWhat makes bread rise?\nWhat makes bread rise?\n${'a'.repeat(300)}.\nWrite a poem ab`;
    expect(starterLines(answer)).toEqual(['What makes bread rise?']);
  });

  it('returns no idea for an empty answer', () => {
    expect(starterLines('')).toEqual([]);
  });
});
