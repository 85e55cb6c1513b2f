import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { TEXTS } from '@tanya/contract';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/fake-server';
import { endSession } from '../../app/live-updates';
import { setImage } from '../../app/queries/image.query';
import { queryClient } from '../../app/query-client';
import { createTheme } from '../../app/theme';
import ImageDialog from './image-dialog';

const QUOTA = { used: 0, max: 20 };

/** The picture is made when `letAnswer` is called. */
function serveSlowly(answers: Record<string, unknown>): { letAnswer: () => void; asked: string[] } {
  const asked = serve({ '/api/user/quota': QUOTA, ...answers });
  const answer = globalThis.fetch;
  let letAnswer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letAnswer = resolve));
  globalThis.fetch = (...call) =>
    call[0] === '/api/generate-image' ? held.then(() => answer(...call)) : answer(...call);
  return { letAnswer, asked };
}

async function open(): Promise<void> {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <ImageDialog onClose={() => undefined} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await screen.findByRole('dialog');
}

async function ask(): Promise<void> {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Image description'), 'a lighthouse');
  await user.click(screen.getByRole('button', { name: TEXTS.sidebar.createImage }));
  await screen.findByText('Creating...');
}

const description = () => screen.getByLabelText<HTMLTextAreaElement>('Image description');

describe('ImageDialog', () => {
  beforeEach(() => {
    queryClient.clear();
    setImage(null);
  });

  it('shows the picture that is being made, and then the picture, when it is opened again', async () => {
    const { letAnswer } = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    await ask();
    cleanup();
    await open();
    expect(screen.getByText('Creating...')).toBeDefined();
    expect([description().value, description().disabled]).toEqual(['a lighthouse', true]);
    cleanup();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect(screen.getByAltText<HTMLImageElement>('Generated image').getAttribute('src')).toBe('/made.png');
  });

  it('offers another picture in place of the one that was made', async () => {
    serve({ '/api/user/quota': QUOTA });
    setImage({ prompt: 'a lighthouse', isRunning: false, url: '/made.png' });
    await open();
    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.images.createNew }));
    expect(description().value).toBe('');
    cleanup();
    await open();
    expect(description().disabled).toBe(false);
  });

  it('keeps the description of a picture that could not be made', async () => {
    const { letAnswer } = serveSlowly({});
    await open();
    await ask();
    cleanup();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect([description().value, description().disabled]).toEqual(['a lighthouse', false]);
  });

  it('does not show the picture to whoever comes after a logout', async () => {
    const { letAnswer } = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    await ask();
    cleanup();
    await endSession();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect(description().value).toBe('');
  });
});
