import { starterLines } from './starters.service.js';

const IDEAS = [
  'How do bees find home?',
  'Plan a weekend in Bandung.',
  'Explain the tides simply.',
  'What makes bread rise?',
];

describe('starterLines', () => {
  it('removes list markers and quotation marks', () => {
    const [first, second, third, fourth] = IDEAS;
    expect(starterLines(`1. ${first}\n- "${second}"\n* **${third}**\n“${fourth}”`)).toEqual(IDEAS);
  });

  it('leaves out introductions, duplicates, very long lines, single words and truncated lines', () => {
    const rest = ['Here are some ideas:', IDEAS[0], `${'a'.repeat(300)}.`, 'Photosynthesis.', 'Write a poem ab'];
    expect(starterLines([...IDEAS, ...rest].join('\n'))).toEqual(IDEAS);
  });

  it('keeps ideas that begin as an apology does', () => {
    const ideas = [...IDEAS, "I can't sleep, what helps?"];
    expect(starterLines(ideas.join('\n'))).toEqual(ideas);
  });

  it.each([
    ['nothing', ''],
    ['a reply', 'A point in the plane.\nIt has no extent at all.'],
    ['an apology', `I'm sorry, but I can only help with maths.\n${IDEAS.join('\n')}`],
  ])('finds no idea in %s', (_title, answer) => {
    expect(starterLines(answer)).toEqual([]);
  });
});
