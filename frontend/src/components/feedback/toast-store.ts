import { createToaster } from '@chakra-ui/react';

export const toaster = createToaster({
  // Main actions stand at the right of pages and at the bottom of the chat; up here a notice covers none of them.
  placement: 'top',
  max: 1,
  duration: 5_000,
  removeDelay: 1_000_000,
  hotkey: ['F8'],
  pauseOnPageIdle: false,
});
