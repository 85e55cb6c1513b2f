import { noticeText } from './generation-end.js';

describe('noticeText', () => {
  it('joins the remarks about content that did not fit, where the first of them stands', () => {
    const notices = [
      { code: 'tools_unsupported' },
      { code: 'message_cut' },
      { code: 'document_cut' },
      { code: 'attachments_left_out' },
      { code: 'earlier_left_out', params: { count: 2 } },
    ] as const;
    expect(noticeText(notices)).toBe(
      'This model does not support tools. ' +
        'Your message was cut to fit the model; a document was cut to fit the model; ' +
        '2 earlier messages were left out to fit the model. Earlier attachments were left out.',
    );
  });

  it('has the values of a remark', () => {
    expect(noticeText([{ code: 'earlier_left_out', params: { count: 1 } }])).toBe(
      '1 earlier message was left out to fit the model.',
    );
    expect(noticeText([{ code: 'answer_cut', params: { max: 200_000 } }])).toBe(
      'The answer was cut at 200,000 characters.',
    );
  });

  it('is null without remarks', () => {
    expect(noticeText([])).toBeNull();
  });
});
