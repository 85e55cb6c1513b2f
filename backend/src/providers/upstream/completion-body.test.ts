import { completionBody } from './completion-body.js';

const user = { role: 'user' as const, content: 'Hi' };

it('names the limit as the upstream knows it, and leaves out what was not given', () => {
  const request = { model: 'm', messages: [user], maxTokens: 10 };
  expect(completionBody(request, { newLimitName: true })).toMatchObject({ max_completion_tokens: 10 });
  expect(completionBody(request, { newLimitName: false })).toMatchObject({ max_tokens: 10 });
  expect(Object.keys(completionBody({ model: 'm', messages: [user] }, { newLimitName: true })).sort()).toEqual([
    'messages',
    'model',
    'stream',
    'stream_options',
  ]);
});

it('hands on how words are to be chosen', () => {
  const sampling = { temperature: 0, top_p: 0.5, presence_penalty: 1, frequency_penalty: -1, stop: ['\n'], seed: 7 };
  expect(completionBody({ model: 'm', messages: [user], sampling }, { newLimitName: true })).toMatchObject(sampling);
});

it('sends recordings that the format knows and refuses the others in words', () => {
  const recording = (type: string): Parameters<typeof completionBody>[0] => ({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'audio', dataUrl: `data:${type};base64,QUJD` }] }],
  });
  expect(completionBody(recording('audio/mpeg'), { newLimitName: false }).messages[0]?.content).toEqual([
    { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
  ]);
  expect(() => completionBody(recording('audio/webm'), { newLimitName: false })).toThrow('WAV or MP3');
});

it('keeps only the text of messages that no user wrote', () => {
  const content = [
    { type: 'text' as const, text: 'a' },
    { type: 'image' as const, dataUrl: 'data:image/png;base64,AA' },
  ];
  const { messages } = completionBody(
    { model: 'm', messages: [{ role: 'assistant', content }] },
    { newLimitName: false },
  );
  expect(messages).toEqual([{ role: 'assistant', content: 'a' }]);
});
