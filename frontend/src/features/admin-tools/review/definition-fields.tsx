import { Box, chakra, Grid, Heading, Stack, Text } from '@chakra-ui/react';
import type { ToolDefinition } from '@tanya/contract';
import { useMemo } from 'react';
import { t } from '../../../app/i18n/translate';
import type { PlainTextKey } from '../../../texts/catalogue';
import { compareLines, compareWords, type Piece, visibleText } from './compare-texts';

interface Field {
  label: PlainTextKey;
  isCode?: boolean;
  textOf: (definition: ToolDefinition) => string;
}

const FIELDS: Field[] = [
  { label: 'toolServers.toolTitle', textOf: ({ title }) => visibleText(title) },
  { label: 'modelsPage.description', textOf: ({ description }) => visibleText(description) },
  {
    label: 'toolServers.schema',
    isCode: true,
    textOf: ({ schema }) => visibleText(JSON.stringify(schema, null, 2)),
  },
];

interface DefinitionFieldsProps {
  accepted: ToolDefinition;
  /** The definition that waits for acceptance. */
  changed: ToolDefinition | null;
}

/** A definition field by field: where both definitions differ, side by side on wide screens and stacked on narrow ones. */
export function DefinitionFields({ accepted, changed }: DefinitionFieldsProps) {
  return (
    // Focusable, so that the keyboard scrolls it.
    <Stack gap="5" role="region" tabIndex={0} aria-label={t('toolServers.definition')} borderRadius="l2">
      {FIELDS.map((field) => {
        const before = field.textOf(accepted);
        const after = changed ? field.textOf(changed) : before;
        return (
          <Box as="section" key={field.label}>
            <Heading as="h3" textStyle="sm" fontWeight="medium" mb="1.5">
              {t(field.label)}
              {changed && before === after && (
                <Text as="span" color="fg.muted" fontWeight="normal">
                  {` · ${t('toolServers.unchanged')}`}
                </Text>
              )}
            </Heading>
            {before === after ? (
              <Content isCode={field.isCode} pieces={[{ text: before, isChanged: false }]} />
            ) : (
              <SideBySide before={before} after={after} isCode={field.isCode} />
            )}
          </Box>
        );
      })}
    </Stack>
  );
}

function SideBySide({ before, after, isCode }: { before: string; after: string; isCode?: boolean }) {
  const pieces = useMemo(() => (isCode ? compareLines : compareWords)(before, after), [before, after, isCode]);
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }} gap="3">
      <Side label={t('toolServers.acceptedDefinition')} pieces={pieces.before} isCode={isCode} mark="del" />
      <Side label={t('toolServers.newDefinition')} pieces={pieces.after} isCode={isCode} mark="ins" />
    </Grid>
  );
}

interface ContentProps {
  pieces: Piece[];
  isCode?: boolean;
  /** Element of the pieces that differ. */
  mark?: 'del' | 'ins';
}

function Side({ label, ...content }: ContentProps & { label: string }) {
  return (
    <Box role="group" aria-label={label} minW="0">
      <Text textStyle="xs" color="fg.muted" mb="1" aria-hidden>
        {label}
      </Text>
      <Content {...content} />
    </Box>
  );
}

const BACKGROUNDS = { del: 'bg.error', ins: 'bg.success' } as const;

function Content({ pieces, isCode, mark = 'ins' }: ContentProps) {
  const isEmpty = pieces.every(({ text }) => text === '');
  return (
    <Box
      as={isCode ? 'pre' : 'div'}
      p="3"
      borderWidth="1px"
      borderRadius="l2"
      fontFamily={isCode ? 'mono' : undefined}
      textStyle={isCode ? 'xs' : 'sm'}
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
      color={isEmpty ? 'fg.muted' : undefined}
      dir={isCode ? 'ltr' : 'auto'}
    >
      {isEmpty && t('audit.empty')}
      {pieces.map(({ text, isChanged }, index) =>
        isChanged ? (
          <chakra.span as={mark} key={index} bg={BACKGROUNDS[mark]} textDecoration="none" borderRadius="l1">
            {text}
          </chakra.span>
        ) : (
          text
        ),
      )}
    </Box>
  );
}
