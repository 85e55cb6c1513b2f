import { jest } from '@jest/globals';
import { upload } from './upload';

/** Uploads a file, and answers. */
function answerWith(status: number, responseText: string): Promise<unknown> {
  const send = jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    for (const [key, value] of Object.entries({ status, responseText })) Object.defineProperty(this, key, { value });
    this.onload!(new ProgressEvent('load'));
  });
  return upload(new File(['text'], 'note.txt')).finally(() => send.mockRestore());
}

test('resolves with the answer of the server', async () => {
  await expect(answerWith(201, '{"id":"x"}')).resolves.toEqual({ id: 'x' });
});

test('rejects an answer that is not the server’s, such as the login page of a network', async () => {
  await expect(answerWith(200, '<html>Log in</html>')).rejects.toMatchObject({ code: 'network' });
  await expect(answerWith(413, '<html>Too large</html>')).rejects.toMatchObject({ status: 413, code: 'internal' });
});
