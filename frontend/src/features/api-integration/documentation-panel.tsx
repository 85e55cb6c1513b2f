import { Accordion, Code, Stack, Table, Text } from '@chakra-ui/react';
import type { ExampleContext } from '@tanya/contract';
import type { ReactNode } from 'react';
import { RichText } from '../../app/i18n/rich-text';
import { t } from '../../app/i18n/translate';
import { Panel } from '../../components/layout/panel';
import { CallExamples } from './call-examples';
import { CodeSample } from './code-sample';

const responseExample = (model: string) => `{
  "id": "chatcmpl-…",
  "object": "chat.completion",
  "created": 1767225600,
  "model": "${model}",
  "choices": [
    {
      "index": 0,
      "message": { "role": "assistant", "content": "Hello! How can I help?" },
      "finish_reason": "stop"
    }
  ],
  "usage": { "prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16 }
}`;

const ERROR_CODES = ['400', '401', '403', '404', '429', '500'] as const;

interface DocumentationPanelProps {
  /** The displayed key, masked unless the user shows it. */
  shownKey: string;
  /** The full key, used in copied examples. */
  apiKey: string;
  models: Pick<ExampleContext, 'model' | 'models'>;
}

const CODE = { code: (text: string) => <Code size="sm">{text}</Code> };

export function DocumentationPanel({ shownKey, apiKey, models }: DocumentationPanelProps) {
  const { origin } = window.location;
  return (
    <Panel
      title={t('developer.documentation')}
      hint={<RichText text={t('developer.request', { origin })} tags={CODE} />}
    >
      <Stack gap="5">
        <CallExamples shown={{ ...models, origin, key: shownKey }} copied={{ ...models, origin, key: apiKey }} />
        <Accordion.Root multiple collapsible>
          <Item value="response" title={t('developer.response')}>
            <Text mb="3">
              <RichText text={t('developer.responseText')} tags={CODE} />
            </Text>
            <CodeSample label={t('developer.responseExample')} code={responseExample(models.model)} />
          </Item>
          <Item value="errors" title={t('developer.errors')}>
            <ErrorCodes />
          </Item>
          <Item value="limits" title={t('developer.limits')}>
            <Text>
              <RichText text={t('developer.limitsText')} tags={CODE} />
            </Text>
          </Item>
        </Accordion.Root>
      </Stack>
    </Panel>
  );
}

function Item({ value, title, children }: { value: string; title: string; children: ReactNode }) {
  return (
    <Accordion.Item value={value}>
      <Accordion.ItemTrigger fontWeight="medium" textStyle="sm" focusVisibleRing="inside">
        {title}
        <Accordion.ItemIndicator ms="auto" />
      </Accordion.ItemTrigger>
      <Accordion.ItemContent>
        <Accordion.ItemBody>{children}</Accordion.ItemBody>
      </Accordion.ItemContent>
    </Accordion.Item>
  );
}

function ErrorCodes() {
  return (
    <Table.Root size="sm" aria-label={t('developer.errorsLabel')}>
      <Table.Header>
        <Table.Row>
          <Table.ColumnHeader width="6rem">{t('developer.code')}</Table.ColumnHeader>
          <Table.ColumnHeader>{t('developer.meaning')}</Table.ColumnHeader>
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {ERROR_CODES.map((code) => (
          <Table.Row key={code}>
            <Table.Cell fontFamily="mono">{code}</Table.Cell>
            <Table.Cell>{t(`developer.error${code}`)}</Table.Cell>
          </Table.Row>
        ))}
      </Table.Body>
    </Table.Root>
  );
}
