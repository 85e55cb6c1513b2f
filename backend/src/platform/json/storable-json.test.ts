import { storableJson } from './storable-json.js';

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
