import { MailError } from './mailer.js';

describe('MailError', () => {
  it.each([
    [{ code: 'ESOCKET', message: 'connect ECONNREFUSED 127.0.0.1:25' }, 'ESOCKET: connect ECONNREFUSED 127.0.0.1:25'],
    [{ code: 'EENVELOPE', responseCode: 550, message: '550 <ayu@example.com> unknown' }, 'EENVELOPE: 550'],
    [{ code: 'EENVELOPE', message: 'Invalid recipient ayu@example.com' }, 'EENVELOPE'],
    [{ message: 'about ayu@example.com' }, 'unknown error'],
  ])('names the cause without the recipient (SET-5): %j', (cause, message) => {
    expect(new MailError(cause).message).toBe(message);
  });

  it.each([
    ['RCPT TO', 501, true],
    ['RCPT TO', 550, true],
    ['RCPT TO', 451, false],
    ['RCPT TO', 530, false],
    ['DATA', 552, true],
    ['MAIL FROM', 550, false],
    ['AUTH PLAIN', 535, false],
    [undefined, undefined, false],
  ])('tells a refusal of one mail from one of all: %s %s', (command, responseCode, isFinal) => {
    expect(new MailError({ code: 'EENVELOPE', command, responseCode }).isFinal).toBe(isFinal);
  });
});
