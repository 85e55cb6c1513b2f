import { Slices } from '../../platform/system/slices.js';
import { callArguments, resultContent } from './call-arguments.js';

/** An object with this number of levels. */
const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });

it('takes arguments and results of up to 32 levels', async () => {
  const slices = new Slices();
  const [most, more] = [nested(32), nested(33)];
  expect(await callArguments(most, 'input', slices)).toBe(JSON.stringify(most));
  expect(await callArguments(JSON.stringify(most), 'arguments', slices)).toBe(JSON.stringify(most));
  for (const refused of [callArguments(more, 'messages.0.input', slices), resultContent(more, 'content', slices)])
    await expect(refused).rejects.toMatchObject({ code: 'invalid' });
});

it('sends a text that is no JSON of an object back in one', async () => {
  for (const text of ['{"a":', '[1]', '5', '"a"', JSON.stringify(nested(33))])
    expect(await callArguments(text, 'arguments', new Slices())).toBe(JSON.stringify({ invalid_json: text }));
});
