import type { Translation } from '../catalogue';
import type spec from '../spec/more';

export default {
  auth: {
    loginTitle: 'Log in to your account',
    loginSubtitle: 'Log in to open your account and chat history',
    registerSubtitle: 'Register to save your chat history',
  },
  threads: {
    renamed: 'Chat renamed',
    renameFailed: 'The chat could not be renamed',
    deleted: 'Chat deleted',
    deleteFailed: 'The chat could not be deleted',
  },
  validation: { phoneNumber: 'Please enter a phone number with at least 5 digits' },
  files: { documentTooLarge: 'File too large. The maximum size is 10MB.' },
  images: {
    promptRequired: 'Please enter a description of the image you want to create',
    failed: 'The image could not be created. Please try again.',
    created: 'Image created! It used {n} messages.',
    quotaTitle: 'Your quota is used up',
  },
  exhausted: {
    image: 'An image costs {cost} messages. You have {left} left.',
    imageAll: 'Upgrade to VIP to get extra quota and create AI images again.',
  },
  reasons: { too_large: { document: 'File too large. The maximum size is {max}MB.' } },
  language: { id: 'Indonesian (Bahasa Indonesia)' },
} as const satisfies Translation<typeof spec>;
