// Shows the text of a shared conversation before the app, where src/features/chat/shared-page shows it afterwards.
(() => {
  /** Enough for the first screen. */
  const MAX_CHARACTERS = 4_000;

  const element = (className, ...content) => {
    const made = Object.assign(document.createElement('div'), { className });
    made.append(...content);
    return made;
  };

  const text = (className, content) => Object.assign(element(className, content), { dir: 'auto' });

  // Keep in step with parseContent of the contract.
  const textOf = ({ content }) => {
    if (!content.startsWith('{"text":')) return content;
    try {
      return JSON.parse(content).text;
    } catch {
      return content;
    }
  };

  const row = (message) => {
    const body = element('message-body', text('first-paint-text', textOf(message).slice(0, MAX_CHARACTERS)));
    const made = element('message first-paint-message', body);
    made.dataset.from = message.isUserMessage ? 'user' : 'ai';
    return made;
  };

  const show = ({ title, messages }) => {
    // The app has replaced the outlines when it was quicker.
    const outlines = document.querySelector('.first-paint-home');
    if (!outlines) return;
    const page = element('first-paint-shared', text('first-paint-heading', title));
    let characters = 0;
    for (const message of messages) {
      page.append(row(message));
      characters += message.content.length;
      if (characters > MAX_CHARACTERS) break;
    }
    outlines.replaceWith(page);
  };

  // src/features/chat/shared-page/shared.query.ts takes the response, perhaps before this script, and reports its errors.
  window.firstShared
    ?.then((response) => response?.ok && response.clone().json())
    .then((shared) => shared && show(shared))
    .catch(() => null);
})();
