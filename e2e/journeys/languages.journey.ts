import { TEXTS } from '@tanya/contract';
import { expectAccessibleTexts } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';
import { openAccount, visit } from '../pages.js';

// The journeys change the language of the site. One of the screens is a link that does not exist.
test.use({ installation: 'languages', expectedErrors: [/404 \(Not Found\)/] });
test.describe.configure({ mode: 'serial' });
test.setTimeout(480_000);

const WORDS = {
  en: {
    newChat: 'New chat',
    welcome: 'Welcome to AI Assistant. What can I help you with?',
    settings: 'General Settings',
    users: 'User Management',
    models: 'LLM AI Models',
    developer: 'API Integration',
    upgrade: 'Upgrade to VIP',
    tools: 'Tool Servers',
    usage: 'Usage',
    apiKeys: 'API Keys',
    failures: 'Failures',
    audit: 'Audit Log',
    ownUsage: 'My Usage',
    reset: 'Choose a new password',
    missingShare: 'This link does not work',
    login: 'Login',
    register: 'Register',
    image: 'Create Image',
    shortcuts: 'Keyboard shortcuts',
    account: 'Your account',
    archived: 'Archived chats',
    share: 'Share chat',
  },
  id: {
    newChat: 'Obrolan baru',
    welcome: TEXTS.defaults.welcomeMessage,
    settings: 'Pengaturan Umum',
    users: 'Manajemen Pengguna',
    models: 'Model AI LLM',
    developer: 'Integrasi API',
    upgrade: 'Upgrade ke VIP',
    tools: 'Server Alat',
    usage: 'Pemakaian',
    apiKeys: 'Kunci API',
    failures: 'Kegagalan',
    audit: 'Log Audit',
    ownUsage: 'Pemakaian Saya',
    reset: 'Pilih kata sandi baru',
    missingShare: 'Tautan ini tidak berlaku',
    login: 'Masuk',
    register: 'Daftar',
    image: 'Buat Gambar',
    shortcuts: 'Pintasan keyboard',
    account: 'Akun Anda',
    archived: 'Obrolan yang diarsipkan',
    share: 'Bagikan obrolan',
  },
} as const;

type Language = keyof typeof WORDS;

/** Axe checks the screens in Indonesian: the language of the other journeys is English but for a few words. */
async function checkScreen(page: Page, screen: string, language: Language): Promise<void> {
  if (language === 'id') await expectAccessibleTexts(page, `${screen} in ${language}`);
}

/** Opens a dialog by a button, checks it, and closes it with the keyboard. */
async function checkDialog(page: Page, button: { name: string | RegExp; exact?: boolean }, language: Language) {
  const dialog = page.locator('[aria-modal=true]');
  await page.getByRole('button', button).first().click();
  await expect(dialog).toBeVisible();
  await checkScreen(page, `dialog ${button.name}`, language);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('a guest chooses a language, which a reload keeps', async ({ chat, page }) => {
  await chat.open();
  await expect(page.getByText(TEXTS.defaults.welcomeMessage)).toBeVisible();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('id');
  await expect(page.getByRole('dialog', { name: 'Bahasa' })).toBeVisible();
  await expectAccessibleTexts(page, 'language dialog');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: WORDS.id.newChat }).first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
});

test('the language of an account applies on every device', async ({ chat, member, other, page }) => {
  await chat.signIn(member);
  await chat.open();
  const account = await openAccount(page, 'General');
  await account.getByRole('combobox', { name: 'Language' }).selectOption('en');
  await expect(page.getByText('Language saved')).toBeVisible();
  await expectAccessibleTexts(page, 'account');
  await other.chat.signIn(member);
  await other.chat.open();
  await expect(other.page.getByText(WORDS.en.welcome)).toBeVisible();
  await expect(other.page).toHaveTitle('AI Assistant');
});

for (const language of ['en', 'id'] as const) {
  test(`the screens are shown in ${language}`, async ({ administrator, chat, page, product }) => {
    const words = WORDS[language];
    const change = { data: { defaultLanguage: language } };
    expect((await administrator.patch('/api/admin/general-settings', change)).ok()).toBe(true);
    await chat.open();
    await expect(page.getByText(words.welcome)).toBeVisible();
    await expect(page.getByRole('button', { name: words.upgrade }).first()).toBeVisible();
    await checkScreen(page, 'home', language);
    for (const name of [words.login, words.register, words.image, words.shortcuts])
      await checkDialog(page, { name, exact: true }, language);
    await chat.signIn(product.admin);
    const sent = await page.request.post('/api/chat/message', { data: { content: 'Hello' } });
    await page.goto(`/chat/${((await sent.json()) as { threadId: number }).threadId}`);
    await expect(page.getByRole('article')).toHaveCount(2);
    await checkScreen(page, 'a conversation', language);
    for (const name of [words.archived, words.share]) await checkDialog(page, { name }, language);
    for (const [path, heading] of [
      ['/admin', words.models],
      ['/admin/users', words.users],
      ['/admin/keys', words.apiKeys],
      ['/admin/tools', words.tools],
      ['/admin/usage', words.usage],
      ['/admin/failures', words.failures],
      ['/admin/audit', words.audit],
      ['/admin/settings', words.settings],
      ['/account', words.account],
      ['/api-integration', words.developer],
      ['/usage', words.ownUsage],
      ['/reset-password?token=unknown', words.reset],
      ['/share/unknown', words.missingShare],
    ] as const) {
      await visit(page, path);
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await checkScreen(page, path, language);
    }
    await administrator.patch('/api/admin/general-settings', { data: { defaultLanguage: 'spec' } });
  });
}

test.describe('with a browser in Indonesian', () => {
  test.use({ locale: 'id-ID' });

  test('the site follows the browser when an administrator has chosen so', async ({ administrator, chat, page }) => {
    await administrator.patch('/api/admin/general-settings', { data: { defaultLanguage: 'browser' } });
    await chat.open();
    await expect(page.getByRole('button', { name: WORDS.id.newChat }).first()).toBeVisible();
    await administrator.patch('/api/admin/general-settings', { data: { defaultLanguage: 'spec' } });
  });
});
