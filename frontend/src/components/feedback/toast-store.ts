import { createToaster } from '@chakra-ui/react';

export const toaster = createToaster({
  // At the top a notice covers neither the actions at the right of pages nor the composer at the bottom.
  placement: 'top',
  max: 1,
  duration: 5_000,
  removeDelay: 1_000_000,
  hotkey: ['F8'],
  pauseOnPageIdle: false,
});
