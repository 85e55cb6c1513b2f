import { repairTexts, storableJson } from './storable-json.js';

it('cleans keys and values at every level', () => {
  expect(storableJson({ 'a\0': ['b\ud800', { '\udc00': null }], n: 1 }, 3)).toEqual({
    a: ['b\ufffd', { '\ufffd': null }],
    n: 1,
  });
});

it('has no result for more levels than allowed', () => {
  expect(storableJson([[[]]], 3)).toEqual([[[]]]);
  expect(storableJson([[[]]], 2)).toBeUndefined();
});

it('repairs texts and names of fields in place', async () => {
  const json = { 'a\0': ['b\ud800', { '\udc00': null, __proto__: { c: '\0' } }, 7], 'd\ud83d\ude00': '\ud83d\ude00' };
  await repairTexts(json);
  expect(json).toEqual({
    'a\ufffd': ['b\ufffd', { '\ufffd': null, __proto__: { c: '\0' } }, 7],
    'd\ud83d\ude00': '\ud83d\ude00',
  });
});

it('repairs a field of any name, and a long text without cutting a character in two', async () => {
  const emoji = '\ud83d\ude00';
  const json = JSON.parse(`{"__proto__":"\\u0000","constructor":["\\ud800"],"long":""}`) as Record<string, unknown>;
  json['long'] = `\0a${emoji.repeat(200_000)}`;
  json['end'] = `${'a'.repeat(300_000)}\ud800`;
  await repairTexts(json);
  expect(Object.entries(json)).toEqual([
    ['__proto__', '\ufffd'],
    ['constructor', ['\ufffd']],
    ['long', `\ufffda${emoji.repeat(200_000)}`],
    ['end', `${'a'.repeat(300_000)}\ufffd`],
  ]);
});
