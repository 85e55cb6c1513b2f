import { createRecipeContext, type InputProps, type TextareaProps } from '@chakra-ui/react';

/** Fields that look like Chakra's, which bring the code of all forms and dialogs: 60 kB that a chat would wait for. */
export const PlainInput = createRecipeContext({ key: 'input' }).withContext<HTMLInputElement, InputProps>('input');

export const PlainTextarea = createRecipeContext({ key: 'textarea' }).withContext<HTMLTextAreaElement, TextareaProps>(
  'textarea',
);
