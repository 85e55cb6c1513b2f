import { samplingOf } from './sampling.js';

it('sends no empty list of stop sequences', () => {
  expect(samplingOf({ messages: [], stop: [] })).toEqual({});
  expect(samplingOf({ messages: [], stop: ['a'] })).toEqual({ stop: ['a'] });
});
