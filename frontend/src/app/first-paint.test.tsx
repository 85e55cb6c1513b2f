import { jest } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';

/** Runs a script of public/ as the page does. The query makes the next test run it again. */
let runs = 0;
const run = (name: string): Promise<unknown> => import(`../../public/${name}.js?${++runs}`);

const answerOf = (body: unknown): Response =>
  ({ ok: true, json: async () => body, clone: () => answerOf(body) }) as unknown as Response;

const settings = { siteTitle: 'Toko Kita', welcomeMessage: 'Selamat datang', defaultLanguage: 'en' };
const shared = { title: 'Harbours', messages: [{ content: 'What is a harbour?', isUserMessage: true }] };

/** Opens a page whose settings are read when the returned function is called. */
function open(path: string): () => void {
  window.history.replaceState(null, '', path);
  document.title = 'Asisten AI';
  render(
    <div>
      <span id="first-paint-title" />
      <div className="first-paint-home">
        <div id="first-paint-welcome" />
        <div className="first-paint-composer" />
      </div>
    </div>,
  );
  let answer: (response: Response) => void = () => undefined;
  const settingsRead = new Promise<Response>((resolve) => (answer = resolve));
  window.fetch = jest.fn((address) =>
    address === '/api/general-settings' ? settingsRead : Promise.resolve(answerOf(shared)),
  );
  return () => answer(answerOf(settings));
}

const titleShown = () => document.getElementById('first-paint-title')?.textContent;

test('shows the title and the welcome of the site at home', async () => {
  const readSettings = open('/');
  await run('first-paint');
  readSettings();
  await waitFor(() => expect(titleShown()).toBe('Toko Kita'));
  expect(document.title).toBe('Toko Kita');
  expect(document.getElementById('first-paint-welcome')?.textContent).toBe('Selamat datang');
});

test('shows the title of the site when a shared conversation arrives before the settings', async () => {
  const readSettings = open('/share/tok');
  await run('first-paint');
  await run('first-paint-share');
  await waitFor(() => expect(document.querySelector('.first-paint-text')?.textContent).toBe('What is a harbour?'));
  readSettings();
  await waitFor(() => expect(titleShown()).toBe('Toko Kita'));
  expect(document.title).toBe('Toko Kita');
});

test('leaves a shared conversation that the app has taken to the app', async () => {
  open('/share/tok');
  await run('first-paint');
  delete window.firstShared;
  await run('first-paint-share');
  // A script that replaced the page would do it a few microtasks later.
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.querySelector('.first-paint-home')).not.toBeNull();
});
