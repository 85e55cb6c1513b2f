import { Box, Button, Grid, Text } from '@chakra-ui/react';
import type { AuditEntry, AuditValues } from '@tanya/contract';
import { useState } from 'react';
import { findText, t } from '../../app/i18n/translate';

/** Fields of an entry that show at first. */
const SHOWN_FIELDS = 4;

/** Lines, and characters of a line on a phone, of a value that shows at first. */
const SHOWN_LINES = 3;
const LINE_LENGTH = 40;

interface ChangedValuesProps extends Pick<AuditEntry, 'before' | 'after'> {
  /** Id of the entry's heading. */
  describedBy: string;
}

/** The changed fields with their values before and after. Many fields and long values are cut until all are wanted. */
export function ChangedValues({ before, after, describedBy }: ChangedValuesProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = Object.keys({ ...before, ...after });
  const texts = fields.flatMap((field) => [before, after].map((values) => textOf(values?.[field])));
  const isLong = fields.length > SHOWN_FIELDS || texts.some(isLongText);
  const shown = isOpen ? fields : fields.slice(0, SHOWN_FIELDS);
  if (fields.length === 0) return null;
  return (
    <>
      <Box as="dl" borderTopWidth="1px" textStyle="sm">
        {shown.map((field) => (
          <Grid
            key={field}
            templateColumns={{ base: '1fr', md: '12rem 1fr 1fr' }}
            columnGap="4"
            rowGap="1"
            py="2"
            borderBottomWidth="1px"
          >
            <Box as="dt" fontWeight="medium" overflowWrap="anywhere">
              {findText(`auditFields.${field}`) ?? field}
            </Box>
            {before && <Value label={t('audit.before')} values={before} field={field} isCut={!isOpen} />}
            {after && <Value label={t('audit.after')} values={after} field={field} isCut={!isOpen} />}
          </Grid>
        ))}
      </Box>
      {isLong && (
        <Button
          size="xs"
          variant="ghost"
          alignSelf="start"
          aria-expanded={isOpen}
          aria-describedby={describedBy}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('audit.less') : t('audit.more')}
        </Button>
      )}
    </>
  );
}

interface ValueProps {
  label: string;
  values: AuditValues;
  field: string;
  isCut: boolean;
}

function Value({ label, values, field, isCut }: ValueProps) {
  const text = textOf(values[field]);
  return (
    <Box as="dd" minW="0">
      <Text as="span" textStyle="xs" color="fg.muted" display="block">
        {label}
      </Text>
      <Text
        overflowWrap="anywhere"
        whiteSpace="pre-wrap"
        lineClamp={isCut ? SHOWN_LINES : undefined}
        color={text === '' ? 'fg.muted' : undefined}
        fontStyle={text === '' ? 'italic' : undefined}
      >
        {text || t('audit.empty')}
      </Text>
    </Box>
  );
}

const isLongText = (text: string): boolean =>
  text.length > SHOWN_LINES * LINE_LENGTH || text.split('\n').length > SHOWN_LINES;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? t('audit.yes') : t('audit.no');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
