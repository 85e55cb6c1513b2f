import type { ChatScreen } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream' });

const HEAD =
  'First paragraph has a sentence that one can select.\n\nSecond paragraph with **bold** and text.\n\n' +
  'Third paragraph with $x^2$ formula.\n\n```js\nconst a = 1;\nconst b = 2;\nfunction f() { return a + b; }\n```\n\n' +
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n';

const citation = (chunk: object) => ({
  chunk: {
    choices: [{ index: 0, delta: { content: '', annotations: [{ type: 'url_citation', url_citation: chunk }] } }],
  },
});
const SOURCE = citation({ url: 'https://example.com/s', title: 'Src', start_index: 0, end_index: 3 });

const ENDS = {
  'with footnotes': [{ text: ' See note[^1].\n\n[^1]: The note.' }],
  'with a source': [SOURCE],
  'with nothing': [],
};

/** Selects the contents of the first to the last element of the newest answer that the selector names. */
const select = (chat: ChatScreen, selector: string) =>
  chat.newestAnswer.evaluate((answer, wanted) => {
    const found = [...answer.querySelectorAll(wanted)];
    const range = document.createRange();
    range.setStart(found[0]!, 0);
    range.setEndAfter(found.at(-1)!.lastChild!);
    getSelection()!.removeAllRanges();
    getSelection()!.addRange(range);
    return String(getSelection());
  }, selector);

const selected = (page: Page) =>
  page.evaluate(() => ({ text: String(getSelection()), isShown: getSelection()!.anchorNode?.isConnected }));

for (const [name, end] of Object.entries(ENDS)) {
  for (const selector of ['p:nth-of-type(2)', 'pre code', 'td', 'p']) {
    test(`a selection of ${selector} outlives the end of an answer ${name}`, async ({ chat, page, upstream }) => {
      await chat.open();
      const release = upstream.holdAfter(`${HEAD}Tail sentence number 2 `, [
        ...Array.from({ length: 10 }, (_, index) => ({ text: `and sentence ${index} that goes on. ` })),
        ...end,
        { finish: 'stop' },
        { done: true },
      ]);
      await chat.send('Tell me');
      await expect(chat.newestAnswer).toContainText('Tail sentence number 2');
      await expect(chat.newestAnswer.locator(selector).last()).toBeVisible();
      // The text is plain until the code that formats it has loaded.
      await expect(chat.newestAnswer.locator('.plain')).toHaveCount(0);
      const text = await select(chat, selector);
      release();
      await chat.answerEnds();
      await expect(chat.newestAnswer.getByRole('button', { name: 'Copy message' })).toBeAttached();
      // Formulas and colours follow when the page is idle.
      await expect(chat.newestAnswer.locator('pre .hljs-keyword').first()).toBeVisible();
      const now = await selected(page);
      expect(now.isShown).toBe(true);
      // The words of a paragraph that has become longer, or has got a formula, are around the selection.
      if (selector === 'p') expect(now.text.replaceAll('\n', '')).toContain(text.slice(0, 40));
      else expect(now.text).toBe(text);
    });
  }
}

test('a selection by the mouse in the growing paragraph stays', async ({ chat, page, upstream }) => {
  await chat.open();
  const release = upstream.holdAfter('Some **words** that one can select while ', [
    ...Array.from({ length: 40 }, (_, index) => ({ text: `sentence ${index} goes on and ` })),
    { finish: 'stop' },
    { done: true },
  ]);
  await chat.send('Tell me');
  const paragraph = chat.newestAnswer.locator('p').first();
  await expect(paragraph).toContainText('select while');
  // The paragraph is replaced when the code that renders answers has loaded.
  await expect(paragraph.locator('strong')).toBeVisible();
  const { x, y } = (await paragraph.boundingBox())!;
  await page.mouse.move(x + 2, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 10, { steps: 5 });
  release();
  await expect(paragraph).toContainText('sentence 5');
  await page.mouse.move(x + 150, y + 10, { steps: 5 });
  await page.mouse.up();
  const { text } = await selected(page);
  expect(text).toMatch(/^Some words that/);
  await chat.answerEnds();
  expect((await selected(page)).text).toBe(text);
});

test('code has its colours while it grows, and keeps them at its end', async ({ chat, upstream }) => {
  const line = (index: number) => `export const value${index} = "text ${index}"; // note\n`;
  const code = Array.from({ length: 900 }, (_, index) => line(index)).join('');
  await chat.open();
  const release = upstream.holdAfter(`\`\`\`ts\n${code}`, [
    { text: '```\n\nDone.' },
    { finish: 'stop' },
    { done: true },
  ]);
  await chat.send('Write code');
  const keywords = chat.newestAnswer.locator('pre .hljs-keyword');
  await expect(keywords).toHaveCount(1_800);
  const first = await keywords.first().elementHandle();
  release();
  await chat.answerEnds();
  await expect(chat.newestAnswer).toContainText('Done.');
  expect(await first?.evaluate((element) => element.isConnected)).toBe(true);
  await expect(keywords).toHaveCount(1_800);
  await expect(chat.newestAnswer.locator('.code-header')).toHaveText('TypeScript');
});

test('a search leads from one place of the words to the next, and marks them until a click', async ({
  chat,
  member,
  page,
}) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Where is the lighthouse?');
  await chat.answerEnds();
  await chat.send('And the lighthouse beside the lighthouse?');
  await chat.answerEnds();
  const marks = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('shown-words') ?? [])].map((range) => (range as Range).startContainer.textContent),
    );
  const bar = page.getByRole('search', { name: 'Matches' });
  await page.keyboard.press('Control+Shift+f');
  await page.getByRole('searchbox', { name: 'Words to find' }).fill('lighthouse');
  await page.getByRole('list', { name: 'Matches' }).getByRole('button').first().click();
  await expect(bar).toContainText(/1 of \d+/);
  await expect.poll(marks).toEqual(['Where is the lighthouse?']);
  const count = Number((await bar.innerText()).split(' ').at(-1));
  await bar.getByRole('button', { name: 'Previous match' }).click();
  await expect(bar).toContainText(`${count} of ${count}`);
  await page.keyboard.press('F3');
  await page.keyboard.press('F3');
  await expect(bar).toContainText(`2 of ${count}`);
  await page.waitForTimeout(3_000);
  expect(await marks()).toHaveLength(1);
  await chat.newestAnswer.click();
  await expect(bar).toBeHidden();
  expect(await marks()).toEqual([]);
});

const answerWith = (text: string) => ({ steps: [{ text }, { finish: 'stop' }, { done: true as const }] });

test('a table is copied as a table and as text, and saved as CSV', async ({ chat, context, page, upstream }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.open();
  upstream.script(answerWith('| Day | Note |\n|---|---|\n| 1 | a, **b** |'));
  await chat.send('Make a table');
  await chat.answerEnds();
  await chat.newestAnswer.getByRole('table').hover();
  await chat.newestAnswer.getByRole('button', { name: 'Copy as a table' }).click();
  await expect(chat.newestAnswer.getByRole('button', { name: 'Copied!' })).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item!.getType(type)).text();
    return [await read('text/plain'), await read('text/html')];
  });
  expect(copied[0]).toBe('Day\tNote\n1\ta, b');
  expect(copied[1]).toContain('<td>a, b</td>');
  const download = page.waitForEvent('download');
  await chat.newestAnswer.getByRole('button', { name: 'Save as CSV' }).click();
  const stream = await (await download).createReadStream();
  const bytes = Buffer.concat(await stream.toArray());
  expect(bytes.toString()).toBe('\ufeffDay,Note\r\n1,"a, b"\r\n');
});

test('the buttons of code without a language stand above its long lines', async ({ chat, context, page, upstream }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.open();
  const line = 'x'.repeat(400);
  upstream.script(answerWith(`\`\`\`\n${line}\n\`\`\``));
  await chat.send('Make a line');
  await chat.answerEnds();
  await chat.newestAnswer.getByRole('button', { name: 'Copy code' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
});

test('a question stands near its answer, and the buttons reach into no message', async ({ chat, page, upstream }) => {
  await chat.open();
  for (const question of ['First?', 'Second?']) {
    upstream.script(answerWith('A short answer.'));
    await chat.send(question);
    await chat.answerEnds();
  }
  const [question, next] = [chat.ownMessages.nth(0), chat.ownMessages.nth(1)];
  const answer = chat.answers.nth(0);
  const edges = async (message: typeof answer) => {
    const box = (await message.locator('.message-body').boundingBox())!;
    return { top: box.y, bottom: box.y + box.height };
  };
  const [first, second, third] = [await edges(question), await edges(answer), await edges(next)];
  expect(second.top - first.bottom).toBeCloseTo(16, 0);
  expect(third.top - second.bottom).toBeCloseTo(40, 0);
  await answer.hover();
  const row = (await answer.locator('.message-footer').boundingBox())!;
  expect(row.y).toBeGreaterThanOrEqual(second.bottom);
  expect(row.y + row.height).toBeLessThanOrEqual(third.top);
  // The space belongs to the next row, above which the buttons are.
  await answer.getByRole('button', { name: 'Copy message' }).click();
  await expect(answer.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.locator('.message .avatar').allInnerTexts()).toEqual(['ME', 'AI', 'ME', 'AI']);
});

test('Enter during an answer sends the message after it, and Escape stops', async ({ chat, page, upstream }) => {
  await chat.open();
  const release = upstream.holdAfter('Once upon a time');
  await chat.send('Tell a story');
  await chat.answerBegins();
  await chat.composer.fill('And then?');
  await chat.composer.press('Enter');
  await expect(page.getByRole('region', { name: 'Conversation' }).getByText('Sent after this answer')).toBeVisible();
  await expect(chat.ownMessages.last()).toContainText('And then?');
  await expect(chat.composer).toBeFocused();
  await chat.composer.fill('Never');
  await chat.composer.press('Enter');
  await expect(chat.ownMessages.last()).toContainText('Never');
  await chat.ownMessages.last().getByRole('button', { name: 'Cancel' }).click();
  await expect(chat.composer).toHaveValue('Never');
  const stop = upstream.holdAfter('Then they met');
  release();
  await expect(chat.newestAnswer).toContainText('Then they met');
  await expect(chat.ownMessages).toHaveCount(2);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(chat.stopButton).toBeVisible();
  await page.keyboard.press('Escape');
  await chat.answerEnds();
  await expect(chat.newestAnswer.getByText('You stopped this answer.')).toBeVisible();
  stop();
});

test('own messages have links and code, and a long paste becomes a file', async ({ chat, page }) => {
  await chat.open();
  await chat.composer.fill('See https://example.org/a. *as typed*\n```ts\nconst a = 1;\n```');
  await chat.composer.press('Enter');
  const own = chat.ownMessages.last();
  await expect(own.getByRole('link', { name: 'https://example.org/a' })).toBeVisible();
  await expect(own.locator('pre .hljs-keyword')).toHaveText('const');
  await expect(own).toContainText('*as typed*');
  await chat.answerEnds();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const field = document.querySelector('main textarea')!;
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, 'x'.repeat(4_001));
  const chips = page.getByRole('list', { name: 'Attachments' });
  await expect(chips).toContainText('Pasted text.txt');
  await chips.getByRole('button', { name: 'Show in text box' }).click();
  await expect(chips).toBeHidden();
  await expect(chat.composer).toHaveValue('x'.repeat(4_001));
});
