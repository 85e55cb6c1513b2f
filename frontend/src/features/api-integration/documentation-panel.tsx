import { Accordion, Code, Stack, Table, Tabs, Text } from '@chakra-ui/react';
import { EXAMPLE_LANGUAGES, exampleOf } from '@tanya/contract';
import type { ReactNode } from 'react';
import { Panel } from '../../components/layout/panel';
import { CodeSample } from './code-sample';
import { ERROR_CODES, responseExample } from './examples';

interface DocumentationPanelProps {
  /** The displayed key, masked unless the user shows it. */
  shownKey: string;
  /** The full key, used in copied examples. */
  apiKey: string;
  model: string;
}

export function DocumentationPanel({ shownKey, apiKey, model }: DocumentationPanelProps) {
  const call = { origin: window.location.origin, key: shownKey, model };
  return (
    <Panel
      title="API Documentation"
      hint={
        <>
          Send a <Code size="sm">POST</Code> request to <Code size="sm">{call.origin}/api/v1/chat</Code>. Clients made
          for OpenAI work with the base URL <Code size="sm">{call.origin}/api/v1</Code>.
        </>
      }
    >
      <Stack gap="5">
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
                label={`${label} example`}
                code={exampleOf(value, call)}
                copied={exampleOf(value, { ...call, key: apiKey })}
              />
            </Tabs.Content>
          ))}
        </Tabs.Root>
        <Accordion.Root multiple collapsible>
          <Item value="response" title="Response Format">
            <Text mb="3">
              The answer has the shape of a chat completion. With <Code size="sm">stream: true</Code> it comes as
              server-sent events that end in <Code size="sm">[DONE]</Code>.
            </Text>
            <CodeSample label="response example" code={responseExample(model)} />
          </Item>
          <Item value="errors" title="Error Codes">
            <ErrorCodes />
          </Item>
          <Item value="limits" title="Rate Limits">
            <Text>
              Each answer counts as one message of your quota. When the quota is reached, requests are rejected with 403
              until it resets or your plan is upgraded. The headers <Code size="sm">x-ratelimit-limit-requests</Code>,{' '}
              <Code size="sm">x-ratelimit-remaining-requests</Code> and, where it resets,{' '}
              <Code size="sm">x-ratelimit-reset-requests</Code> say what is left.
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
    <Table.Root size="sm" aria-label="Error codes">
      <Table.Header>
        <Table.Row>
          <Table.ColumnHeader width="6rem">Code</Table.ColumnHeader>
          <Table.ColumnHeader>Meaning</Table.ColumnHeader>
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {ERROR_CODES.map(([code, meaning]) => (
          <Table.Row key={code}>
            <Table.Cell fontFamily="mono">{code}</Table.Cell>
            <Table.Cell>{meaning}</Table.Cell>
          </Table.Row>
        ))}
      </Table.Body>
    </Table.Root>
  );
}
