import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { pdfOf } from '../../backend/test/files/scanned-pdf.js';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

// A file that was removed and a project that was left answer 404, a file that is there already 409.
test.use({ provider: 'upstream', installation: 'projects', expectedErrors: [/status of 40[49]/] });
test.setTimeout(180_000);

const filesField = (page: Page) => page.getByLabel('Add files').and(page.locator('input'));

const GUIDE = '# Opening hours\n\nThe harbour opens at six.\n\n# Fees\n\nA berth costs five euros a day.\n';

for (const width of [390, 1440])
  test(`a member asks about a file of a project and opens the cited place, at ${width} px`, async ({
    chat,
    member,
    page,
    upstream,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await chat.signIn(member);
    await page.goto('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByLabel('Name').fill('Harbour');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Harbour' })).toBeVisible();

    const guide = { name: 'guide.md', mimeType: 'text/markdown', buffer: Buffer.from(GUIDE) };
    await filesField(page).setInputFiles([guide]);
    const files = page.getByRole('list', { name: 'Files' });
    await expect(files.getByText('Ready')).toBeVisible({ timeout: 30_000 });
    await expect(files.getByText('2 sections', { exact: false })).toBeVisible();
    await expectAccessible(page, 'project');

    await page.getByLabel('Search these files').fill('berth');
    const hits = page.getByRole('list', { name: 'Passages' });
    await expect(hits.getByText('A berth costs five euros a day.')).toBeVisible();

    await page.getByRole('link', { name: 'New chat in this project' }).click();
    await expect(page.getByRole('link', { name: 'In the project Harbour' })).toBeVisible();
    upstream.script({ steps: [{ text: 'A berth costs five euros [2] and not six [9].' }, { finish: 'stop' }] });
    await chat.send('What does a berth cost?');
    await expect(chat.newestAnswer).toContainText('A berth costs five euros 2 and not six .');
    await expect(page.getByRole('link', { name: 'In the project Harbour' })).toBeVisible();

    const source = chat.newestAnswer.getByRole('region', { name: 'Sources' }).getByRole('link');
    await expect(source).toHaveCount(1);
    await expect(source).toContainText('guide.md');
    await expect(source).toContainText('Fees');
    const opened = page.context().waitForEvent('page');
    await source.click();
    const document = await opened;
    await expect(document.getByRole('heading', { level: 1, name: 'guide.md' })).toBeVisible();
    const cited = document.locator('[aria-current=location]');
    await expect(cited).toContainText('A berth costs five euros a day.');
    await expect(cited.getByRole('heading', { name: 'Fees' })).toBeVisible();
    await expect(cited.locator('mark')).toContainText('A berth costs five euros a day.');
    await expect(cited.locator('mark')).toBeInViewport();
    await expectAccessible(document, 'document of a project');

    await document.getByRole('link', { name: 'Back to the project' }).click();
    await expect(document.getByRole('list', { name: 'Your chats' }).getByRole('link')).toHaveCount(1);
    await document.getByRole('button', { name: 'Delete the file guide.md' }).click();
    await document.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(document.getByText('No files yet.')).toBeVisible();
    await document.goBack();
    await document.reload();
    await expect(document.getByRole('heading', { level: 1, name: 'Source removed' })).toBeVisible();
  });

for (const width of [390, 1440])
  test(`a citation opens a PDF at its page, drawn with the passage marked, at ${width} px`, async ({
    chat,
    member,
    page,
    upstream,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await chat.signIn(member);
    const made = await page.request.post('/api/projects', { data: { name: 'Charter' } });
    const { id } = (await made.json()) as { id: number };
    await page.goto(`/projects/${id}`);
    const pages = ['Opening hours\nThe harbour opens at six.', 'Fees\nA berth costs five euros a day.', 'The end.'];
    const buffer = pdfOf(pages.map((text) => ({ text })));
    await filesField(page).setInputFiles([{ name: 'charter.pdf', mimeType: 'application/pdf', buffer }]);
    await expect(page.getByRole('list', { name: 'Files' }).getByText('Ready')).toBeVisible({ timeout: 30_000 });

    await page.getByRole('link', { name: 'New chat in this project' }).click();
    upstream.script({ steps: [{ text: 'Five euros [2].' }, { finish: 'stop' }] });
    await chat.send('What does a berth cost?');
    const source = chat.newestAnswer.getByRole('region', { name: 'Sources' }).getByRole('link');
    const opened = page.context().waitForEvent('page');
    await source.click();
    const document = await opened;
    const cited = document.locator('[aria-current=location]');
    await expect(cited.getByRole('heading', { name: 'page 2' })).toBeVisible();
    const picture = cited.getByRole('img', { name: 'Picture of page 2' });
    await expect(picture).toBeInViewport({ timeout: 30_000 });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1_600);
    const marks = cited.locator('[data-mark]');
    await expect(marks).toHaveCount(2);
    await expect(marks.first()).toBeInViewport();
    // The second line stands below the first one, and both on the upper half of the page.
    const [first, second, whole] = await Promise.all(
      [marks.first(), marks.last(), picture].map((each) => each.boundingBox()),
    );
    expect(second!.y).toBeGreaterThan(first!.y);
    expect(second!.y).toBeLessThan(whole!.y + whole!.height / 2);
    await expect(cited.locator('mark')).toContainText('A berth costs five euros a day.');
    await expectAccessible(document, 'page of a PDF');

    await cited.getByRole('button', { name: 'Enlarge' }).press('Enter');
    await expect.poll(async () => (await picture.boundingBox())!.width).toBeGreaterThan(whole!.width * 2);
    await expect(document.locator('html')).toHaveJSProperty('scrollLeft', 0);
    await expectAccessible(document, 'enlarged page of a PDF');
    await document.getByRole('button', { name: 'Show the page as a picture: page 3' }).click();
    await expect(document.getByRole('img', { name: 'Picture of page 3' })).toBeVisible({ timeout: 30_000 });
  });

test('a member adds many files at once, of which one is there already', async ({ chat, member, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.signIn(member);
  const made = await page.request.post('/api/projects', { data: { name: 'Archive' } });
  const { id } = (await made.json()) as { id: number };
  await page.goto(`/projects/${id}`);
  const fileOf = (at: number, text = `The fee of berth ${at}.`) => ({
    name: `note ${at}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  });
  const many = Array.from({ length: 60 }, (_, at) => fileOf(at));
  await filesField(page).setInputFiles([...many, fileOf(60, 'The fee of berth 1.')]);
  await expect(page.getByText('60 files: 60 ready, 0 being read, 0 not readable')).toBeVisible({ timeout: 60_000 });
  const left = page.getByText('1 file is in the project already: note 60.txt', { exact: true });
  await expect(left).toBeVisible();
  await expectAccessible(page, 'project with many files');
  await page.getByRole('button', { name: 'Close this list' }).click();
  await expect(left).toBeHidden();
  const rows = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(rows).toHaveCount(50);
  await page.getByLabel('Find a file by its name').fill('note 59');
  await expect(rows).toHaveCount(1);
});

for (const width of [390, 1440])
  test(`a member adds folders by a drop and by the button, and pastes a file, at ${width} px`, async ({
    chat,
    member,
    page,
  }, testInfo) => {
    const root = testInfo.outputPath('clients');
    const texts = {
      'acme/report.md': 'The quay of Acme.',
      'acme/deep/er/notes.txt': 'Deep notes.',
      'acme/.DS_Store': 'x',
      'acme/logo.png': 'x',
      'beta/report.md': 'The quay of Beta.',
      'beta/empty.txt': '',
    };
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    await page.setViewportSize({ width, height: 844 });
    await chat.signIn(member);
    const made = await page.request.post('/api/projects', { data: { name: 'Clients' } });
    const { id } = (await made.json()) as { id: number };
    await page.goto(`/projects/${id}`);
    await expect(page.getByText('No files yet.', { exact: false })).toBeVisible();

    const devtools = await page.context().newCDPSession(page);
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      devtools.send('Input.dispatchDragEvent', {
        type,
        x: width - 100,
        y: 300,
        data: { items: [], files: [root], dragOperationsMask: 1 },
      });
    await drag('dragEnter');
    await expect(page.getByText('Drop to add to the project')).toBeInViewport();
    await drag('dragOver');
    await drag('drop');
    await expect(page.getByText('Drop to add to the project')).toBeHidden();
    await expect(page.getByText('3 files: 3 ready, 0 being read, 0 not readable')).toBeVisible({ timeout: 30_000 });
    const files = page.getByRole('list', { name: 'Files' });
    for (const name of ['report (acme).md', 'report (beta).md', 'notes.txt'])
      await expect(files.getByRole('link', { name, exact: true })).toBeVisible();
    await expect(page.getByText('1 file of a kind without text: clients/acme/logo.png', { exact: true })).toBeVisible();
    await expect(page.getByText('1 hidden file or folder: clients/acme/.DS_Store', { exact: true })).toBeVisible();
    await expect(page.getByText('1 file is empty: clients/beta/empty.txt', { exact: true })).toBeVisible();
    await expectAccessible(page, 'project with a folder added');
    await page.getByRole('button', { name: 'Close this list' }).click();
    await expect(page.getByText('Not everything was added', { exact: true })).toBeHidden();

    writeFileSync(join(root, 'beta/fees.md'), 'A berth costs five euros.');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add a folder' }).press('Enter');
    await (await choosing).setFiles(join(root, 'beta'));
    await expect(files.getByRole('link', { name: 'fees.md' })).toBeVisible({ timeout: 30_000 });
    // The same contents are there already.
    await expect(page.getByText('1 file is in the project already: report.md', { exact: true })).toBeVisible();

    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['Pasted text.'], 'pasted.txt', { type: 'text/plain' }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await expect(files.getByRole('link', { name: 'pasted.txt' })).toBeVisible({ timeout: 30_000 });
    await expect(page.locator('html')).toHaveJSProperty('scrollLeft', 0);
  });

test('an owner shares a project with a member, who leaves it', async ({ chat, member, other, page }) => {
  await chat.signIn(member);
  const colleague = { username: `colleague-${Date.now()}`, password: 'a long enough password' };
  await other.page.goto('/');
  await other.chat.register(colleague);
  const made = await page.request.post('/api/projects', { data: { name: 'Shared' } });
  const { id } = (await made.json()) as { id: number };
  await other.page.goto('/projects');
  await expect(other.page.getByText('No projects yet.', { exact: false })).toBeVisible();
  await page.goto(`/projects/${id}`);
  await page.getByLabel('Exact username').fill('nobody-has-this-name');
  await page.getByRole('button', { name: 'Add member' }).click();
  await expect(page.getByText('There is nobody with this exact name.', { exact: false })).toBeVisible();
  await page.getByLabel('Exact username').fill(colleague.username);
  await page.getByRole('button', { name: 'Add member' }).click();
  const members = page.getByRole('list', { name: 'Members' });
  await expect(members.getByText(colleague.username, { exact: false })).toBeVisible();

  await other.page.getByRole('link', { name: 'Shared' }).click();
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('The harbour opens at six.') };
  await filesField(page).setInputFiles([note]);
  await expect(other.page.getByRole('list', { name: 'Files' }).getByText('Ready')).toBeVisible({ timeout: 30_000 });
  await expect(other.page.getByRole('button', { name: 'Add files' })).toBeHidden();
  await other.page.getByRole('button', { name: 'Leave this project' }).click();
  await other.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(other.page.getByText('No projects yet.', { exact: false })).toBeVisible();
});

test('a member moves a chat into a project, and out of it', async ({ chat, member, page, upstream }) => {
  await chat.signIn(member);
  const made = await page.request.post('/api/projects', { data: { name: 'Quay' } });
  expect(made.status()).toBe(201);
  upstream.script({ steps: [{ text: 'Good morning.' }, { finish: 'stop' }] });
  await page.goto('/');
  await chat.send('Hello');
  await expect(chat.newestAnswer).toContainText('Good morning.');
  const choose = async (project: string) => {
    await page.getByRole('button', { name: 'Chat options' }).click();
    await page.getByRole('menuitem', { name: 'Move to a project…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Project of this chat' });
    await dialog.getByLabel('Project', { exact: true }).selectOption(project);
    await dialog.getByRole('button', { name: 'Move chat' }).click();
    await expect(dialog).toBeHidden();
  };
  await choose('Quay');
  await expect(page.getByRole('link', { name: 'In the project Quay' })).toBeVisible();
  await choose('No project');
  await expect(page.getByRole('link', { name: 'In the project Quay' })).toBeHidden();
});
