import { Box, Flex } from '@chakra-ui/react';
import type { ConnectionAdaptation, ProviderConnection } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { useForgetAdaptations } from './connection-mutations';

/** Models whose line is shown. */
const MAX_SHOWN = 10;

/** How requests are changed for the server of a connection, with a button that lets it be forgotten. */
export function ConnectionAdaptations({ connection: { id, name, adaptations } }: { connection: ProviderConnection }) {
  const forget = useForgetAdaptations(id);
  if (adaptations.length === 0) return null;
  const hidden = adaptations.length - MAX_SHOWN;
  return (
    <Box color="fg.muted">
      <Flex gap="2" align="center" justify="space-between">
        {t('connections.adapted')}
        <LoadingButton
          size="xs"
          variant="outline"
          aria-label={t('connections.forgetOf', { name })}
          loading={forget.isPending}
          onClick={() => forget.mutate()}
        >
          {t('connections.forget')}
        </LoadingButton>
      </Flex>
      <Box as="ul" ps="5" listStyleType="disc" overflowWrap="anywhere">
        {adaptations.slice(0, MAX_SHOWN).map((adaptation) => (
          <li key={adaptation.model}>
            {adaptation.model}: {changesOf(adaptation).join(', ')}
          </li>
        ))}
        {hidden > 0 && <li>{t('connections.moreAdapted', { count: hidden })}</li>}
      </Box>
    </Box>
  );
}

/** Sentences of changes that are not a field. Later versions add names, which are shown as they are. */
const CHANGES = {
  system: 'connections.systemFolded',
  alternation: 'connections.rolesAlternate',
  content: 'connections.emptyText',
  text_parts: 'connections.textsJoined',
  reasoning_content: 'connections.emptyReasoning',
  schemas: 'connections.plainSchemas',
  call_ids: 'connections.shortIds',
  signatures: 'connections.callsMarked',
  reasoning_effort: 'connections.noReasoningWithTools',
  tools: 'connections.toolsOfCalls',
  stream: 'connections.notStreamed',
  stream_with_tools: 'connections.notStreamedWithTools',
  max_tokens: 'connections.limitRenamed',
  max_completion_tokens: 'connections.limitRenamed',
} as const;

const changesOf = ({ changes }: ConnectionAdaptation): string[] => changes.map(sentenceOf);

function sentenceOf(name: string): string {
  if (name in CHANGES) return t(CHANGES[name as keyof typeof CHANGES], { name });
  // A default parameter stands with its value, such as `temperature=0.2`.
  return t(name.includes('=') ? 'connections.defaultLeftOut' : 'connections.fieldLeftOut', { name });
}
