import { usernameKey } from '../../users/username.js';
import { nameInMail } from './name-in-mail.js';

it.each(['win at evil.example', 'https://evil.example/a', 'x@evil.example', 'www.evil.example'])(
  'leaves nothing in %s of which a mail program makes a link',
  (name) => {
    expect(nameInMail(name)).not.toMatch(/[./:@]/);
  },
);

it.each(['ana.sari', 'a/b', 'Ayu', 'x@evil.example'])('keeps %s the same name at a login', (name) => {
  expect(usernameKey(nameInMail(name))).toBe(usernameKey(name));
});
