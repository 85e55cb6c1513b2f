import { TEXTS, type Message, type Thread } from '@tanya/contract';
import { type APIResponse, expect, type Locator, type Page } from '@playwright/test';

/** A file in the format of Playwright's setInputFiles. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export interface Credentials {
  username: string;
  password: string;
}

/** Page object of the chat page. */
export class ChatScreen {
  readonly composer: Locator;
  readonly answers: Locator;
  readonly ownMessages: Locator;
  readonly messages: Locator;
  readonly stopButton: Locator;

  constructor(private readonly page: Page) {
    this.composer = page.locator('main textarea').last();
    this.answers = page.getByRole('article', { name: 'AI message' });
    this.ownMessages = page.getByRole('article', { name: 'Your message' });
    this.messages = page.getByRole('article', { name: /^(AI|Your) message$/ });
    this.stopButton = page.getByRole('button', { name: /^stop/i });
  }

  get newestAnswer(): Locator {
    return this.answers.last();
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await expect(this.composer).toBeEnabled();
  }

  async send(text: string): Promise<void> {
    await expect(this.composer).toBeEnabled();
    // Enter sends nothing until the previous answer has ended, which is after its last word.
    await expect(this.stopButton).toBeHidden();
    await this.composer.fill(text);
    // On touch devices Enter is a line break, and the button sends.
    if (await this.page.evaluate(() => matchMedia('(pointer: coarse)').matches)) {
      await this.page.getByRole('button', { name: 'Send' }).first().click();
    } else await this.composer.press('Enter');
    await expect(this.ownMessages.last()).toContainText(text.replace(/\s*\[\[.*/, ''));
  }

  /** Chooses files in the attachment dialog. */
  async choose(files: ChosenFile[]): Promise<void> {
    await this.page.getByLabel('Choose files to attach').setInputFiles(files);
  }

  /** Chooses files and waits until each is stored. */
  async attach(files: ChosenFile[]): Promise<void> {
    await this.choose(files);
    const chips = this.page.getByRole('list', { name: 'Attachments' });
    for (const { name } of files) await expect(chips.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }

  async answerBegins(): Promise<void> {
    await expect(this.stopButton).toBeVisible();
    await expect(this.newestAnswer).toContainText(/\w{3,}/);
  }

  async answerEnds(): Promise<void> {
    // A sent message is shown before its answer, while the previous answer has ended.
    await expect(this.messages.last()).toHaveAccessibleName('AI message');
    // Stop is shown once the server has taken the message.
    await expect(this.newestAnswer).not.toContainText(TEXTS.chat.thinking, { timeout: 90_000 });
    await expect(this.stopButton).toBeHidden({ timeout: 90_000 });
  }

  async register({ username, password }: Credentials): Promise<void> {
    await this.page.getByRole('button', { name: TEXTS.sidebar.register, exact: true }).first().click();
    const dialog = this.page.getByRole('dialog', { name: TEXTS.auth.registerTitle });
    await dialog.getByLabel(TEXTS.auth.fullName).fill('Sari Dewi');
    await dialog.getByLabel(TEXTS.auth.username).fill(username);
    await dialog.getByLabel(TEXTS.auth.password, { exact: true }).fill(password);
    await dialog.getByLabel(TEXTS.auth.confirmPassword).fill(password);
    await dialog.getByLabel(TEXTS.auth.email).fill(`${username}@example.org`);
    await dialog.getByLabel(TEXTS.auth.phoneNumber).fill('08123456789');
    await dialog.getByText('I agree').click();
    await dialog.getByRole('button', { name: TEXTS.sidebar.register, exact: true }).first().click();
    await expect(dialog).toBeHidden();
  }

  /** Signs in over the API, before the page is opened. */
  async signIn(credentials: Credentials): Promise<void> {
    await expectOk(await this.page.request.post('/api/login', { data: credentials }));
  }

  async logIn({ username, password }: Credentials): Promise<void> {
    await this.page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
    const dialog = this.page.getByRole('dialog', { name: TEXTS.auth.loginTitle });
    await dialog.getByLabel(TEXTS.auth.username).fill(username);
    await dialog.getByLabel(TEXTS.auth.password, { exact: true }).fill(password);
    await dialog.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
    await expect(dialog).toBeHidden();
  }

  /** Sends a message over the API, to a new thread by default, and waits for its answer. */
  async post(content: string, threadId?: number): Promise<{ threadId: number }> {
    const response = await this.page.request.post('/api/chat/message', { data: { content, threadId } });
    await expectOk(response);
    return (await response.json()) as { threadId: number };
  }

  threads(): Promise<Thread[]> {
    return this.read<Thread[]>('/api/chat/threads');
  }

  /** Stored messages of a thread, the newest last. */
  storedMessages(threadId: number): Promise<Message[]> {
    return this.read<Message[]>(`/api/chat/threads/${threadId}/messages`);
  }

  private async read<T>(path: string): Promise<T> {
    const response = await this.page.request.get(path);
    await expectOk(response);
    return (await response.json()) as T;
  }
}

async function expectOk(response: APIResponse): Promise<void> {
  expect(response.ok(), `${response.url()} answered ${response.status()}: ${await response.text()}`).toBe(true);
}

/** Id of the thread in the address. */
export async function openThreadId(page: Page): Promise<number> {
  await page.waitForURL(/\/chat\/\d+$/);
  return Number(new URL(page.url()).pathname.split('/').at(-1));
}
