import { Button, chakra, Flex, Stack, Text, Textarea } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { fill, type GenerateImageResponse, LIMITS, TEXTS } from '@tanya/contract';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../app/api-client';
import { ApiError, errorText } from '../../app/api-error';
import { handImage } from '../../app/composer-inbox';
import { quotaQuery } from '../../app/queries/user.query';
import { useChange } from '../../app/use-change';
import { FormField } from '../../components/form-field';
import { Modal } from '../../components/modal';
import { notify } from '../../components/notify';
import { UpgradeButton } from '../../components/upgrade-button';
import { imageName } from './image-name';
import { canAffordImage } from './image-quota';

/** Makes a picture from a description: entry, then the result with what can be done with it. */
export default function ImageDialog({ onClose }: { onClose: () => void }) {
  const [image, setImage] = useState<string | null>(null);
  return (
    <Modal title={TEXTS.sidebar.createImage} size="md" onClose={onClose}>
      {image ? (
        <ImageResult url={image} onCreateNew={() => setImage(null)} onClose={onClose} />
      ) : (
        <ImagePrompt onMade={setImage} />
      )}
    </Modal>
  );
}

function ImagePrompt({ onMade }: { onMade: (url: string) => void }) {
  const [prompt, setPrompt] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const client = useQueryClient();
  const { data: quota } = useQuery(quotaQuery);
  const generation = useChange({
    mutationFn: (text: string) => api.post<GenerateImageResponse>('/api/generate-image', { prompt: text }),
    onSuccess: ({ url, cost }) => {
      notify({ title: fill(TEXTS.images.created, { n: cost }) });
      onMade(url);
    },
    onError: (error) => {
      if (!isQuotaRefusal(error)) notify({ title: imageError(error), kind: 'error' });
    },
    onSettled: () => client.invalidateQueries({ queryKey: quotaQuery.queryKey }),
  });

  if (!canAffordImage(quota) || isQuotaRefusal(generation.error)) return <QuotaRefusal />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = prompt.trim();
    setMissing(text === '');
    if (text === '') field.current?.focus();
    else generation.mutate(text);
  };
  return (
    <chakra.form onSubmit={submit} noValidate>
      <Stack gap="4">
        <FormField
          label="Image description"
          error={isMissing ? TEXTS.images.promptRequired : undefined}
          hint={`One image uses ${LIMITS.imageCost} messages of your quota.`}
        >
          <Textarea
            ref={field}
            rows={4}
            value={prompt}
            maxLength={LIMITS.imagePrompt.max}
            disabled={generation.isPending}
            onChange={(event) => {
              setPrompt(event.target.value);
              setMissing(false);
            }}
          />
        </FormField>
        <Flex justify="flex-end">
          <Button type="submit" colorPalette="jade" loading={generation.isPending} loadingText="Creating...">
            {TEXTS.sidebar.createImage}
          </Button>
        </Flex>
      </Stack>
    </chakra.form>
  );
}

function isQuotaRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || /quota exceeded/i.test(error.message));
}

function imageError(error: unknown): string {
  if (error instanceof ApiError) return error.body?.message ?? TEXTS.images.failed;
  return errorText(error) || TEXTS.images.failed;
}

function QuotaRefusal() {
  return (
    <Stack role="alert" gap="3">
      <Text fontWeight="semibold">{TEXTS.images.quotaTitle}</Text>
      <Text color="fg.muted">Upgrade ke VIP untuk mendapatkan kuota tambahan dan membuat gambar AI lagi.</Text>
      <Flex justify="flex-end">
        <UpgradeButton colorPalette="jade" />
      </Flex>
    </Stack>
  );
}

interface ImageResultProps {
  url: string;
  onCreateNew: () => void;
  onClose: () => void;
}

function ImageResult({ url, onCreateNew, onClose }: ImageResultProps) {
  const navigate = useNavigate();
  const isInChat = useRouterState({ select: ({ location }) => /^\/(chat\/|$)/.test(location.pathname) });
  const use = () => {
    handImage({ url, name: imageName(new Date()) });
    onClose();
    if (!isInChat) void navigate({ to: '/' });
  };
  return (
    <Stack gap="4">
      <Flex justify="center">
        <chakra.img src={url} alt="Generated image" maxH="400px" maxW="100%" objectFit="contain" borderRadius="l3" />
      </Flex>
      <Flex justify="flex-end" gap="2" wrap="wrap">
        <Button variant="outline" onClick={onCreateNew}>
          {TEXTS.images.createNew}
        </Button>
        <Button asChild variant="outline">
          <a href={url} download={imageName(new Date())}>
            {TEXTS.images.download}
          </a>
        </Button>
        <Button colorPalette="jade" onClick={use}>
          {TEXTS.images.useImage}
        </Button>
      </Flex>
    </Stack>
  );
}
