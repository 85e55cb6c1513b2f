import { Box, SimpleGrid, Text } from '@chakra-ui/react';
import type { OwnUsage, UsageReport, UsageSums } from '@tanya/contract';
import { formatNumber } from '../../app/i18n/formats';
import {
  formatCompact,
  formatExactUsd,
  formatMilliseconds,
  formatPercent,
  formatUsd,
} from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { isCostUnknown, tokensOf } from './measures';

/** Larger numbers are shown in short. */
const MAX_WHOLE = 9_999_999;

type Totals = OwnUsage['totals'] | UsageReport['totals'];

interface CardText {
  label: string;
  value: string;
  exact?: string;
  note?: string;
}

interface UsageCardsProps {
  totals: Totals;
  /** The part of the site itself, of an installation's report. */
  site?: UsageSums;
}

export function UsageCards({ totals, site }: UsageCardsProps) {
  return (
    <SimpleGrid
      as="dl"
      gap="3"
      templateColumns="repeat(auto-fit, minmax(min(9rem, 100%), 1fr))"
      aria-label={t('usage.sums')}
    >
      {[...cardsOf(totals), ...siteCard(site)].map((card) => (
        <Card key={card.label} {...card} />
      ))}
    </SimpleGrid>
  );
}

function Card({ label, value, exact, note }: CardText) {
  return (
    <Box bg="bg.panel" borderWidth="1px" borderRadius="l3" px="4" py="3" minW="0">
      <Text as="dt" color="fg.muted">
        {label}
      </Text>
      <Box as="dd" overflowWrap="anywhere">
        <Text textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" title={exact}>
          {value}
        </Text>
        {note && (
          <Text textStyle="xs" color="fg.muted">
            {note}
          </Text>
        )}
      </Box>
    </Box>
  );
}

function cardsOf(totals: Totals): CardText[] {
  const cards = [messagesOf(totals), tokensCard(totals), costCard(totals)];
  if ('people' in totals) cards.push({ label: t('usage.people'), value: formatNumber(totals.people) });
  cards.push(errorsCard(totals));
  if ('firstTokenMs' in totals) cards.push(firstTokenCard(totals.firstTokenMs));
  return cards;
}

/** What titles, conversation ideas and embeddings of the site have used of the sums. */
function siteCard(site: UsageSums | undefined): CardText[] {
  if (site === undefined || tokensOf(site) === 0) return [];
  return [
    { ...costCard(site), label: t('usage.site'), note: t('usage.siteNote', { tokens: formatNumber(tokensOf(site)) }) },
  ];
}

const count = (value: number): Pick<CardText, 'value' | 'exact'> =>
  value > MAX_WHOLE ? { value: formatCompact(value), exact: formatNumber(value) } : { value: formatNumber(value) };

const messagesOf = ({ messages, generations }: UsageSums): CardText => ({
  label: t('usage.messages'),
  ...count(messages),
  note: t('usage.answersOf', { count: generations }),
});

const tokensCard = (totals: UsageSums): CardText => ({
  label: t('usage.tokens'),
  ...count(tokensOf(totals)),
  note: t('usage.inAndOut', {
    prompt: formatNumber(totals.promptTokens),
    completion: formatNumber(totals.completionTokens),
  }),
});

/** A sum of which answers are missing is shown with their number, and no sum where no cost is known. */
function costCard(sums: UsageSums): CardText {
  const { costUsd, unpriced } = sums;
  const label = t('usage.cost');
  if (isCostUnknown(sums)) {
    return { label, value: t('usage.unknown'), note: t('usage.withoutPrice', { count: unpriced }) };
  }
  const note = unpriced > 0 ? t('usage.unpriced', { count: unpriced }) : undefined;
  return { label, value: formatUsd(costUsd), exact: formatExactUsd(costUsd), note };
}

function errorsCard({ failures, generations }: UsageSums): CardText {
  return {
    label: t('usage.errorRate'),
    value: generations === 0 ? t('usage.noValue') : formatPercent(failures / generations),
    note: t('usage.failures', { count: failures }),
  };
}

function firstTokenCard({ p50, p95 }: UsageReport['totals']['firstTokenMs']): CardText {
  const label = t('usage.firstToken');
  if (p50 === null) return { label, value: t('usage.noValue') };
  return {
    label,
    value: formatMilliseconds(p50),
    note: t('usage.percentiles', { p95: formatMilliseconds(p95 ?? p50) }),
  };
}
