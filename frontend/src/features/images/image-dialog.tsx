import { Button, chakra, Flex, Stack, Text, Textarea } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type GenerateImageRequest, type GenerateImageResponse, LIMITS } from '@tanya/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { v4 as uuid } from 'uuid';
import { sentenceOf } from '../../app/i18n/error-sentence';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { ApiError, errorText } from '../../app/api/api-error';
import { focusableComposer } from '../../app/browser/composer-field';
import { attachImage } from '../../app/state/composer-store';
import { guestMessageCount } from '../../app/session/guest-message-count';
import { currentUserQuery, quotaQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormField } from '../../components/forms/form-field';
import { Modal } from '../../components/dialogs/modal';
import { notify } from '../../components/feedback/notify';
import { LoadingButton } from '../../components/buttons/loading-button';
import { ImageQuotaNotice } from './image-quota-notice';
import { imageName, imageQuery, type MadeImage, setImage, canAffordImage } from './image.query';

const CREATION = ['create-image'];

/**
 * Creates an image from a description and offers to use or download it. When it is opened again, on any page, it shows
 * the running or finished generation.
 */
export default function ImageDialog({ onClose }: { onClose: () => void }) {
  const { data: image } = useQuery(imageQuery);
  const isUsed = useRef(false);
  const discard = () => setImage(null);
  const finish = () => {
    isUsed.current = true;
    discard();
    onClose();
  };
  return (
    <Modal
      title={t('sidebar.createImage')}
      size="md"
      finalFocus={() => (isUsed.current ? focusableComposer() : null)}
      onClose={onClose}
    >
      {image?.url ? (
        <ImageResult image={{ ...image, url: image.url }} onDiscard={discard} onUsed={finish} />
      ) : (
        <ImagePrompt latest={image ?? null} />
      )}
    </Modal>
  );
}

type ImageRequest = Pick<MadeImage, 'prompt' | 'clientMessageId'>;

function ImagePrompt({ latest }: { latest: MadeImage | null }) {
  const [prompt, setPrompt] = useState(latest?.prompt ?? '');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const client = useQueryClient();
  const { data: quota } = useQuery(quotaQuery);
  const generation = useSingleFlightMutation({
    mutationKey: CREATION,
    mutationFn: ({ prompt, clientMessageId }: ImageRequest) => {
      const isGuest = client.getQueryData(currentUserQuery.queryKey) === null;
      const request: GenerateImageRequest = {
        prompt,
        clientMessageId,
        ...(isGuest && { guestUsage: guestMessageCount() }),
      };
      return api.post<GenerateImageResponse>('/api/generate-image', request);
    },
    onMutate: ({ prompt, clientMessageId }) => setImage({ prompt, clientMessageId, isRunning: true, url: null }),
    onSuccess: ({ url, cost }, { prompt, clientMessageId }, running) => {
      // The user logged out during the generation.
      if (client.getQueryData(imageQuery.queryKey) !== running) return;
      notify({ title: t('images.created', { n: cost }) });
      setImage({ prompt, clientMessageId, isRunning: false, url });
    },
    onError: (error, { prompt, clientMessageId }, running) => {
      if (client.getQueryData(imageQuery.queryKey) !== running) return;
      setImage({ prompt, clientMessageId, isRunning: false, url: null });
      if (!isQuotaRefusal(error)) notify({ title: imageError(error), kind: 'error' });
    },
    onSettled: () => client.invalidateQueries({ queryKey: quotaQuery.queryKey }),
  });

  const isRunning = latest?.isRunning ?? false;
  const { mutate } = generation;
  useEffect(() => {
    // The page was reloaded during the generation. The cache is current, whereas the props may be outdated.
    const image = client.getQueryData(imageQuery.queryKey);
    if (image?.isRunning && client.isMutating({ mutationKey: CREATION }) === 0) mutate(image);
  }, [client, mutate]);

  // A running generation may already hold the last of the quota.
  if ((!canAffordImage(quota) && !isRunning) || isQuotaRefusal(generation.error)) {
    return <ImageQuotaNotice />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = prompt.trim();
    setMissing(text === '');
    if (text === '') field.current?.focus();
    // The same description keeps its idempotency key: if the image exists after all, the server returns it.
    else mutate({ prompt: text, clientMessageId: text === latest?.prompt ? latest.clientMessageId : uuid() });
  };
  return (
    // A description is kept from its generation on, and none is nothing to lose.
    <chakra.form onSubmit={submit} noValidate data-saved={['', latest?.prompt].includes(prompt.trim())}>
      <Stack gap="4">
        <FormField
          label={t('imageDialog.description')}
          error={isMissing ? t('images.promptRequired') : undefined}
          hint={t('imageDialog.cost', { cost: LIMITS.imageCost })}
        >
          <Textarea
            ref={field}
            rows={4}
            value={prompt}
            maxLength={LIMITS.imagePrompt.max}
            readOnly={isRunning}
            onChange={(event) => {
              setPrompt(event.target.value);
              setMissing(false);
            }}
          />
        </FormField>
        <Flex justify="flex-end">
          <LoadingButton type="submit" colorPalette="jade" loading={isRunning} loadingText={t('imageDialog.creating')}>
            {t('sidebar.createImage')}
          </LoadingButton>
        </Flex>
      </Stack>
    </chakra.form>
  );
}

function isQuotaRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || /quota exceeded/i.test(error.message));
}

function imageError(error: unknown): string {
  if (error instanceof ApiError) return error.body ? sentenceOf(error.body) : t('images.failed');
  return errorText(error) || t('images.failed');
}

interface ImageResultProps {
  image: { url: string; prompt: string };
  onDiscard: () => void;
  /** Called when the image has been attached. */
  onUsed: () => void;
}

function ImageResult({ image: { url, prompt }, onDiscard, onUsed }: ImageResultProps) {
  const navigate = useNavigate();
  const isInChat = useRouterState({ select: ({ location }) => /^\/(chat\/|$)/.test(location.pathname) });
  const use = () => {
    attachImage({ url, name: imageName(new Date()) });
    onUsed();
    if (!isInChat) void navigate({ to: '/' });
  };
  return (
    <Stack gap="4">
      <Flex justify="center">
        <chakra.img
          src={url}
          alt={prompt || t('attachments.generatedImage')}
          title={prompt}
          maxH="400px"
          maxW="100%"
          objectFit="contain"
          borderRadius="l3"
        />
      </Flex>
      <Text color="fg.muted" overflowWrap="anywhere" lineClamp="3">
        {prompt}
      </Text>
      <Flex justify="flex-end" gap="2" wrap="wrap">
        <Button variant="outline" onClick={onDiscard}>
          {t('images.createNew')}
        </Button>
        <Button asChild variant="outline">
          <a href={url} download={imageName(new Date())}>
            {t('images.download')}
          </a>
        </Button>
        <Button colorPalette="jade" onClick={use}>
          {t('images.useImage')}
        </Button>
      </Flex>
    </Stack>
  );
}
