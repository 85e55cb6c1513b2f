import { expect, test } from '../journey.js';

// As Chromium does on desktops, where Playwright does not.
test.use({
  provider: 'upstream',
  launchOptions: {
    executablePath: process.env['CHROMIUM_PATH'],
    args: ['--no-sandbox', '--site-per-process', '--enable-features=IsolateSandboxedIframes'],
  },
});

test('XSS-8: a preview with an endless loop leaves the page usable', async ({ chat, page, upstream }) => {
  await chat.open();
  const text = '```html\n<p>looping</p><script>for (;;);</script>\n```\n';
  upstream.script({ steps: [{ text }, { finish: 'stop' }, { done: true }] });
  await chat.send('Make a page');
  await chat.answerEnds();
  await chat.newestAnswer.getByRole('button', { name: 'Open the preview' }).click();
  await chat.composer.fill('typed beside a loop');
  await expect(chat.composer).toHaveValue('typed beside a loop');
  await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
});
