import { LIMITS, parseContent } from '@tanya/contract';
import { notes, picture } from '../attachments.js';
import { openThreadId } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';

// One journey lets an upload fail.
test.use({ provider: 'upstream', expectedErrors: [/503 \(Service Unavailable\)/] });

const pictures = Array.from({ length: 6 }, (_, index) => ({ ...picture, name: `picture-${index + 1}.png` }));
const documents = Array.from({ length: 4 }, (_, index) => ({ ...notes, name: `notes-${index + 1}.txt` }));

const chipsOf = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

const sendButton = (page: Page) => page.getByRole('button', { name: 'Send message' });

/** Dispatches a paste or drop with files and a text, as the browser does after the user's action. */
async function transfer(page: Page, kind: 'paste' | 'drop', given: { names?: string[]; text?: string }): Promise<void> {
  const target = kind === 'paste' ? 'main textarea' : 'main';
  await page
    .locator(target)
    .last()
    .evaluate(
      (element, { kind, names = [], text }) => {
        const data = new DataTransfer();
        for (const name of names) data.items.add(new File([`text of ${name}`], name, { type: 'text/plain' }));
        if (text !== undefined) data.setData('text/plain', text);
        const options = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data }),
        );
      },
      { kind, ...given },
    );
}

async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

/** Runs the steps at both widths, in one page. */
async function atBothWidths(page: Page, steps: (width: number) => Promise<void>): Promise<void> {
  for (const width of [390, 1440]) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 844 });
      await steps(width);
    });
  }
}

test.describe('at 390 px and at 1440 px', () => {
  test.beforeEach(async ({ chat, member }) => {
    await chat.signIn(member);
    await chat.open();
  });

  test('ten files are sent in one message, shown, opened and downloaded', async ({ chat, page }) => {
    await atBothWidths(page, async (width) => {
      await chat.attach([...pictures, ...documents]);
      await expect(chipsOf(page)).toHaveCount(10);
      await expectNoOverflow(page);
      await chat.choose([{ ...notes, name: 'eleventh.txt' }]);
      await expect(page.getByText(`A message carries at most ${LIMITS.attachments} files.`).first()).toBeVisible();
      await expect(chipsOf(page)).toHaveCount(10);

      await chat.send(`Compare these at ${width} px [[words=5]]`);
      await expect(chat.newestAnswer).toContainText(`at ${width} px`);
      await expect(chat.newestAnswer).toContainText('word5');
      await expect(chipsOf(page)).toHaveCount(0);
      const question = (await chat.storedMessages(await openThreadId(page))).at(-2);
      expect(question!.content).toContain(`at ${width} px`);
      expect(parseContent(question!.content).attachments).toHaveLength(10);

      await page.reload();
      const sent = chat.ownMessages.last();
      await expect(sent).toContainText(`at ${width} px`);
      await expect(sent.getByRole('button', { name: /^Open picture-/ })).toHaveCount(6);
      await expect(sent.getByRole('link', { name: /^Download notes-/ })).toHaveCount(4);
      await expectNoOverflow(page);
      await sent.getByRole('button', { name: 'Open picture-2.png' }).click();
      const viewer = page.getByRole('dialog', { name: 'picture-2.png' });
      await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 1);
      await page.keyboard.press('Escape');
      await expect(viewer).toBeHidden();
      const download = page.waitForEvent('download');
      await sent.getByRole('link', { name: 'Download notes-3.txt' }).click();
      expect((await download).suggestedFilename()).toBe('notes-3.txt');
    });
  });

  test('files are dropped, pasted and removed with the keyboard', async ({ page }) => {
    await atBothWidths(page, async () => {
      await transfer(page, 'drop', { names: ['one.txt', 'two.txt'] });
      await transfer(page, 'paste', { names: ['three.txt'] });
      await expect(page.getByRole('button', { name: 'Remove three.txt' })).toBeVisible();
      await expect(chipsOf(page)).toHaveCount(3);
      const second = page.getByRole('button', { name: 'Remove two.txt' });
      await second.focus();
      await page.keyboard.press('Enter');
      await expect(chipsOf(page)).toHaveCount(2);
      // The focus does not fall to the page.
      await expect(page.locator('body')).not.toBeFocused();
      for (const name of ['one.txt', 'three.txt']) await page.getByRole('button', { name: `Remove ${name}` }).click();
      await expect(chipsOf(page)).toHaveCount(0);
    });
  });

  test('a failed upload keeps the other files and the text, and is tried again', async ({ chat, page }) => {
    let isBroken = true;
    await page.route('**/api/files', (route) =>
      isBroken && route.request().postData()?.includes('broken.txt')
        ? route.fulfill({ status: 503, json: { statusCode: 503, code: 'storage_unavailable', message: 'Not now.' } })
        : route.continue(),
    );
    await atBothWidths(page, async (width) => {
      isBroken = true;
      const text = `Read these at ${width} px [[words=5]]`;
      await chat.composer.fill(text);
      await chat.choose([{ ...notes, name: 'broken.txt' }, notes]);
      await expect(page.getByRole('button', { name: `Remove ${notes.name}` })).toBeVisible();
      const retry = page.getByRole('button', { name: 'Upload broken.txt again' });
      await expect(retry).toBeVisible();
      await expect(chat.composer).toHaveValue(text);
      await expect(sendButton(page)).toBeDisabled();
      await expect(page.getByText('Upload again or remove the files that failed')).toBeVisible();

      isBroken = false;
      await retry.click();
      await expect(sendButton(page)).toBeEnabled();
      await sendButton(page).click();
      await expect(chat.newestAnswer).toContainText(`at ${width} px`);
      await expect(chat.newestAnswer).toContainText('word5');
      await expect(chat.ownMessages.last().getByRole('link', { name: /^Download/ })).toHaveCount(2);
      await chat.answerEnds();
    });
  });

  test('a long paste becomes a file, and returns to the field if it is wanted there', async ({ chat, page }) => {
    await atBothWidths(page, async () => {
      await chat.composer.fill('Summarise this');
      const text = 'A long line of text.\n'.repeat(LIMITS.messageText / 20);
      await transfer(page, 'paste', { text });
      await expect(page.getByRole('button', { name: 'Remove Pasted text.txt' })).toBeVisible();
      await expect(chat.composer).toHaveValue('Summarise this');
      await page.getByRole('button', { name: 'Show in text box' }).click();
      await expect(chipsOf(page)).toHaveCount(0);
      await expect(chat.composer).toHaveValue(new RegExp('^Summarise this\\n\\nA long line'));
      await expect(page.getByText(/Shorten the text to send it/)).toBeVisible();
    });
  });
});

test('a paste of 5 MB does not block the page', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  // The text is made before the measurement; the paste itself must be quick.
  const blocked = await page
    .locator('main textarea')
    .last()
    .evaluate(async (field) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'Five megabytes. '.repeat((5 * 1024 * 1024) / 16));
      const begin = performance.now();
      field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - begin;
    });
  expect(blocked).toBeLessThan(30_000);
  await expect(page.getByRole('button', { name: 'Remove Pasted text.txt' })).toBeVisible({ timeout: 60_000 });
  await expect(chat.composer).toHaveValue('');
  // The default answer repeats the prompt, which is long here.
  upstream.script({ steps: [{ text: 'It is about megabytes.' }, { finish: 'stop' }, { done: true }] });
  await chat.send('What is it about?');
  await expect(chat.newestAnswer).toContainText('It is about megabytes.');
});

test('an edit and another answer keep all files', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.attach([...pictures.slice(0, 2), ...documents.slice(0, 2)]);
  await chat.send('Compare these [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  await chat.answerEnds();
  await chat.ownMessages.last().getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Edit your message').fill('Compare them again [[words=6]]');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(chat.newestAnswer).toContainText('word6');
  await expect(chat.ownMessages.last().getByRole('button', { name: /^Open picture-/ })).toHaveCount(2);
  const sent = JSON.stringify(upstream.callsOf().at(-1)!.body);
  expect(sent.split('"image_url":{').length - 1).toBe(2);
  for (const { name } of documents.slice(0, 2)) expect(sent).toContain(name);
});
