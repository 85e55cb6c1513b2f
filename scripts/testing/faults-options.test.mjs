import { readOptions, usage } from './faults-options.mjs';

it('describes every option', () => {
  expect(usage()).toMatch(/^Usage: npm run faults/);
  for (const name of ['rounds N', 'only F3,F60*', 'fleet', 'help']) expect(usage()).toContain(`\n  --${name} `);
});

it('reads options, and refuses an unknown option and an argument that is not a number', () => {
  expect(readOptions(['--fleet', '--rounds', '3'])).toMatchObject({
    fleet: true,
    rounds: '3',
    seed: '1',
    quick: false,
  });
  expect(() => readOptions(['--flet'])).toThrow(/--flet/);
  expect(() => readOptions(['--rounds', 'many'])).toThrow('--rounds needs a whole number');
});
