import { chakra, Flex, Text } from '@chakra-ui/react';
import type { SourcePart } from '@tanya/contract';
import { memo } from 'react';
import { t } from '../../../../app/i18n/translate';
import { hostOf, passageAddress } from '../../../markdown/citations';
import { safeLink } from '../../../markdown/url-safety';

/** The sources of an answer, below its text. Nothing is loaded from their addresses. */
const SourceList = memo(function SourceList({ sources }: { sources: readonly SourcePart[] }) {
  return (
    <chakra.section mt="2" aria-label={t('toolCall.sources')}>
      <Text textStyle="xs" fontWeight="medium" color="fg.muted" mb="1">
        {t('toolCall.sources')}
      </Text>
      <Flex as="ol" wrap="wrap" gap="1.5" listStyleType="none">
        {sources.map((source) => (
          <li key={source.index}>
            <SourceChip source={source} />
          </li>
        ))}
      </Flex>
    </chakra.section>
  );
});

export default SourceList;

function SourceChip({ source }: { source: SourcePart }) {
  const { index, url, title, snippet, label, quote } = source;
  const target = safeLink(passageAddress(source));
  const content = (
    <>
      <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
        {index}
      </chakra.span>
      <Text as="span" truncate>
        {title}
      </Text>
      <Text as="span" flexShrink={0} color="fg.muted">
        {label ?? hostOf(url)}
      </Text>
    </>
  );
  return (
    <Flex
      asChild
      align="center"
      gap="1.5"
      maxW={{ base: '20rem', sm: '24rem' }}
      minH={{ base: '10', md: '7' }}
      px="2.5"
      borderWidth="1px"
      borderRadius="full"
      textStyle="xs"
      _hover={{ bg: 'bg.subtle' }}
    >
      {target ? (
        <a href={target} target="_blank" rel="noopener noreferrer nofollow" title={quote ?? snippet}>
          {content}
        </a>
      ) : (
        <span>{content}</span>
      )}
    </Flex>
  );
}
