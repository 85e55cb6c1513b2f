import type { AdminModel } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { ChatScreen } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({ installation: 'dictation', provider: 'upstream', expectedErrors: [/status of (400|403|500)/] });
// Without a choice at first, which the other tests make.
test.describe.configure({ mode: 'default' });

const MODEL = 'openai/whisper-1';

test('an administrator chooses the model, and members get a microphone', async ({
  administrator,
  chat,
  member,
  other,
  page,
  product,
}) => {
  expect((await administrator.post('/api/admin/models', { data: { modelId: MODEL } })).ok()).toBe(true);
  await other.chat.signIn(member);
  await other.chat.open();
  await expect(other.page.getByRole('button', { name: 'Attach a file' })).toBeVisible();
  await expect(other.page.getByRole('button', { name: 'Dictate' })).toBeHidden();

  await chat.signIn(product.admin);
  await page.goto('/admin/settings#task-models');
  await page.getByLabel('Dictation').selectOption(MODEL);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No unsaved changes')).toBeVisible();
  await expectAccessible(page, 'settings of dictation');
  // The other page learns of it without a reload.
  await expect(other.page.getByRole('button', { name: 'Dictate' })).toBeVisible();
});

test.describe('with a model', () => {
  // The first test chooses it too, but may run in another worker, or not at all.
  test.beforeEach(async ({ administrator }) => {
    await administrator.post('/api/admin/models', { data: { modelId: MODEL } });
    const data = { transcriptionModelId: MODEL };
    expect((await administrator.patch('/api/admin/general-settings', { data })).ok()).toBe(true);
  });

  for (const width of [320, 390]) {
    test(`the tools of a new chat stand in one row at ${width} px`, async ({ browser, member, product, watch }) => {
      const screen = { viewport: { width, height: 640 }, hasTouch: true, isMobile: true };
      const context = await browser.newContext({ baseURL: product.url, ...screen });
      await watch(context);
      const page = await context.newPage();
      await new ChatScreen(page).signIn(member);
      await page.goto('/');
      const tools = page.locator('.composer-tools');
      await expect(tools.getByRole('button', { name: 'Dictate' })).toBeVisible();
      await expect(tools.getByRole('button', { name: 'Tools', exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Temporary', exact: true })).toBeVisible();
      const middles = await tools.getByRole('button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { top, bottom } = button.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      );
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(3);
      await context.close();
    });
  }

  test('the microphone stands before Send in a low window, such as one at 200 % zoom', async ({
    chat,
    member,
    page,
  }) => {
    await page.setViewportSize({ width: 512, height: 384 });
    await chat.signIn(member);
    await chat.open();
    const microphone = page.getByRole('button', { name: 'Dictate' });
    await expect(microphone).toBeVisible();
    const places = [microphone, page.getByRole('button', { name: 'Send' })].map((button) => button.boundingBox());
    const [first, second] = await Promise.all(places);
    expect(first!.x + first!.width).toBeLessThanOrEqual(second!.x);
    expect(first!.y).toBeCloseTo(second!.y, -1);
  });

  test('a recording becomes text at the caret and is not sent', async ({ chat, member, page }) => {
    await chat.signIn(member);
    await chat.open();
    await chat.composer.fill('Dear Ani, thank you.');
    await chat.composer.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(9, 9));
    await page.getByRole('button', { name: 'Dictate' }).click();
    const bar = page.getByRole('group', { name: 'Dictation' });
    await expect(bar.getByText('Listening')).toBeVisible();
    await expect(bar.getByRole('timer')).toHaveText('1:59');
    // The fake microphone beeps.
    await expect
      .poll(() => bar.locator('[aria-hidden] > div').evaluate((meter) => meter.getBoundingClientRect().width))
      .toBeGreaterThan(3);
    await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled();
    await expectAccessible(page, 'dictation');
    await bar.getByLabel('Spoken language').selectOption('id');
    await bar.getByRole('button', { name: 'Finish and insert the text' }).click();
    await expect(chat.composer).toHaveValue('Dear Ani, Selamat pagi. thank you.');
    await expect(bar).toBeHidden();
    await expect(chat.composer).toBeFocused();
    await expect(chat.ownMessages).toHaveCount(0);
    await page.keyboard.type(' Really:');
    await expect(chat.composer).toHaveValue('Dear Ani, Selamat pagi. Really: thank you.');
  });

  test('a recording can be cancelled, and a failed one sent again', async ({ chat, member, page, upstream }) => {
    await chat.signIn(member);
    await chat.open();
    const bar = page.getByRole('group', { name: 'Dictation' });
    const calls = () => upstream.callsOf('transcriptions').length;
    const before = calls();
    await page.getByRole('button', { name: 'Dictate' }).click();
    await expect(bar.getByText('Listening')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await expect(chat.composer).toHaveValue('');
    expect(calls()).toBe(before);

    upstream.script({ on: 'transcriptions', status: 400, body: '{"error":{"message":"no"}}' });
    await page.getByRole('button', { name: 'Dictate' }).click();
    await bar.getByRole('button', { name: 'Finish and insert the text' }).click();
    await expect(bar.getByText('The model provider refused this request.')).toBeVisible();
    await expectAccessible(page, 'failed dictation');
    await bar.getByRole('button', { name: 'Retry' }).click();
    await expect(chat.composer).toHaveValue('Selamat pagi.');
    expect(calls()).toBe(before + 2);
  });

  test('leaving the chat ends the recording', async ({ chat, member, page }) => {
    await page.addInitScript(watchMicrophone);
    await chat.signIn(member);
    await chat.open();
    await page.getByRole('button', { name: 'Dictate' }).click();
    await expect(page.getByRole('group', { name: 'Dictation' }).getByText('Listening')).toBeVisible();
    const isLive = () => page.evaluate(() => (window as WithMicrophone).microphone?.some((s) => s.active));
    expect(await isLive()).toBe(true);
    await page.getByRole('link', { name: 'API Integration' }).first().click();
    await expect(page.getByRole('heading', { name: 'API Integration' })).toBeVisible();
    expect(await isLive()).toBe(false);
  });

  test('a microphone that is not allowed has its sentence', async ({ chat, member, page }) => {
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('Permission denied', 'NotAllowedError');
      };
    });
    await chat.signIn(member);
    await chat.open();
    await page.getByRole('button', { name: 'Dictate' }).click();
    await expect(page.getByText('The microphone is not allowed.')).toBeVisible();
    await page.getByRole('group', { name: 'Dictation' }).getByRole('button', { name: 'Cancel' }).click();
    await expect(chat.composer).toBeFocused();
  });

  test('guests have no microphone, nor members after the model is disabled', async ({
    administrator,
    chat,
    member,
    other,
    page,
  }) => {
    await other.chat.open();
    await expect(other.page.getByRole('button', { name: 'Attach a file' })).toBeVisible();
    await chat.signIn(member);
    await chat.open();
    await expect(page.getByRole('button', { name: 'Dictate' })).toBeVisible();
    const models = (await (await administrator.get('/api/admin/models')).json()) as AdminModel[];
    const { id } = models.find(({ modelId }) => modelId === MODEL)!;
    await administrator.patch(`/api/admin/models/${id}/status`, { data: { isEnabled: false } });
    await expect(page.getByRole('button', { name: 'Dictate' })).toBeHidden();
    await expect(other.page.getByRole('button', { name: 'Dictate' })).toBeHidden();
  });
});

type WithMicrophone = Window & { microphone?: MediaStream[] };

/** Runs in the page. Keeps the streams of the microphone. */
function watchMicrophone(): void {
  const { mediaDevices } = navigator;
  const original = mediaDevices.getUserMedia.bind(mediaDevices);
  const streams: MediaStream[] = [];
  (window as WithMicrophone).microphone = streams;
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await original(constraints);
    streams.push(stream);
    return stream;
  };
}
