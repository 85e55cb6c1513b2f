import { type Message, parseContent } from '@tanya/contract';

/** Renders a conversation as a Markdown document. */
export function toMarkdown(title: string, messages: readonly Message[]): string {
  const parts = messages.map((message) => {
    const { text, fileName, imageUrl, imageData } = parseContent(message.content);
    const extras = [fileName && `_Attachment: ${fileName}_`, (imageUrl ?? imageData) && '_Image_'].filter(Boolean);
    return [`## ${message.isUserMessage ? 'You' : 'AI'}`, ...extras, text].join('\n\n');
  });
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

/** A file name that is valid on every system. */
export const exportName = (title: string, extension: string): string =>
  `${
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'chat'
  }.${extension}`;
