import { Code, Flex, Stack, Tabs, Text } from '@chakra-ui/react';
import {
  EXAMPLE_CALLS,
  EXAMPLE_LANGUAGES,
  EXAMPLE_PATHS,
  type ExampleCall,
  type ExampleContext,
  exampleOf,
} from '@tanya/contract';
import { useId, useState } from 'react';
import type { PlainTextKey } from '../../texts/catalogue';
import { t } from '../../app/i18n/translate';
import { CodeSample } from './code-sample';
import { Select } from '../../components/forms/select';

interface CallTexts {
  name: PlainTextKey;
  about: PlainTextKey;
}

const TEXTS: Record<ExampleCall, CallTexts> = {
  chat: { name: 'developer.callChat', about: 'developer.aboutChat' },
  stream: { name: 'developer.callStream', about: 'developer.aboutStream' },
  tools: { name: 'developer.callTools', about: 'developer.aboutTools' },
  structured: { name: 'developer.callStructured', about: 'developer.aboutStructured' },
  responses: { name: 'developer.callResponses', about: 'developer.aboutResponses' },
  embeddings: { name: 'developer.callEmbeddings', about: 'developer.aboutEmbeddings' },
  images: { name: 'developer.callImages', about: 'developer.aboutImages' },
  transcriptions: { name: 'developer.callTranscriptions', about: 'developer.aboutTranscriptions' },
  models: { name: 'developer.callModels', about: 'developer.aboutModels' },
};

interface CallExamplesProps {
  /** Values in the displayed code; its key may be masked. */
  shown: ExampleContext;
  /** Values in the copied code. */
  copied: ExampleContext;
}

/** Code for one call of the API at a time, in three languages. */
export function CallExamples({ shown, copied }: CallExamplesProps) {
  const [call, setCall] = useState<ExampleCall>('chat');
  return (
    <Stack gap="3">
      <CallField call={call} onCall={setCall} />
      <Tabs.Root defaultValue="curl" lazyMount size="sm">
        <Tabs.List colorPalette="jade">
          {EXAMPLE_LANGUAGES.map(({ value, label }) => (
            <Tabs.Trigger key={value} value={value}>
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {EXAMPLE_LANGUAGES.map(({ value, label }) => (
          <Tabs.Content key={value} value={value}>
            <CodeSample
              label={t('developer.example', { language: label })}
              code={exampleOf(call, value, shown)}
              copied={exampleOf(call, value, copied)}
            />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Stack>
  );
}

/** Chooses the call; below it its address and what it does. */
function CallField({ call, onCall }: { call: ExampleCall; onCall: (call: ExampleCall) => void }) {
  const id = useId();
  const aboutId = useId();
  return (
    <Stack gap="2">
      <Flex gap="3" align="center" wrap="wrap">
        <Text asChild fontWeight="medium">
          <label htmlFor={id}>{t('developer.call')}</label>
        </Text>
        <Select
          root={{ size: 'sm', width: 'auto', maxW: '100%' }}
          id={id}
          aria-describedby={aboutId}
          value={call}
          onChange={({ target }) => onCall(target.value as ExampleCall)}
          options={EXAMPLE_CALLS.map((value) => [value, t(TEXTS[value].name)])}
        />
        <Code size="sm" overflowWrap="anywhere">
          {EXAMPLE_PATHS[call]}
        </Code>
      </Flex>
      <Text id={aboutId} color="fg.muted">
        {t(TEXTS[call].about)}
      </Text>
    </Stack>
  );
}
