import { createToaster } from '@chakra-ui/react';

export const toaster = createToaster({
  placement: 'bottom-end',
  max: 1,
  duration: 5_000,
  removeDelay: 1_000_000,
  hotkey: ['F8'],
  pauseOnPageIdle: false,
});
