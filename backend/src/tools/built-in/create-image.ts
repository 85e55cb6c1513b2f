import { BUILT_IN_TOOL_TEXTS, LIMITS } from '@tanya/contract';
import { defineTool } from '../define-tool.js';

/** Draws an image as the image dialog does, at the same price. */
export const createImage = defineTool<{ prompt: string }>({
  name: 'create_image',
  title: BUILT_IN_TOOL_TEXTS.create_image.title,
  description:
    `Draws one image from a description and shows it to the user. It costs ${LIMITS.imageCost} messages of the ` +
    "user's quota, so use it only when the user asks for an image.",
  parameters: {
    type: 'object',
    properties: {
      prompt: {
        type: 'string',
        minLength: LIMITS.imagePrompt.min,
        maxLength: LIMITS.imagePrompt.max,
        description: 'What the image shows, in full sentences.',
      },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  policy: 'allow',
  run: async ({ prompt }, context) => {
    const { url } = await context.drawImage(prompt, context.signal);
    return { text: 'The image was drawn and is shown to the user.', images: [{ url, alt: prompt }] };
  },
});
