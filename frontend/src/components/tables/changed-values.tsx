import { Box, Button, Grid, Text } from '@chakra-ui/react';
import type { AuditEntry } from '@tanya/contract';
import { type RefCallback, useCallback, useState } from 'react';
import { findText, t } from '../../app/i18n/translate';
import { useNarrow } from '../hooks/use-narrow';
import { changedValue } from './changed-value';

const SHOWN_FIELDS = 4;

const SHOWN_LINES = 3;

/** Width in px below which the values of a field are shown below each other. */
const COLUMNS_WIDTH = 640;

interface ChangedValuesProps extends Pick<AuditEntry, 'before' | 'after'> {
  describedBy: string;
}

/**
 * The changed fields with their values before and after. Many fields and long values are cut, and what is equal in long
 * values is left out, until all are wanted.
 */
export function ChangedValues({ before, after, describedBy }: ChangedValuesProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = Object.keys({ ...before, ...after });
  const [narrowRef, isNarrow] = useNarrow(COLUMNS_WIDTH);
  const [cutRef, isCut] = useCut(isOpen);
  const shown = (isOpen ? fields : fields.slice(0, SHOWN_FIELDS)).map((field) => ({
    field,
    was: before && changedValue(field, before[field], after?.[field], isOpen),
    is: after && changedValue(field, after[field], before?.[field], isOpen),
  }));
  if (fields.length === 0) return null;
  const isPart = shown.some(({ was, is }) => (was?.isPart ?? false) || (is?.isPart ?? false));
  return (
    <Box ref={narrowRef}>
      <Box ref={cutRef} as="dl" borderTopWidth="1px" textStyle="sm">
        {shown.map(({ field, was, is }) => (
          <Grid
            key={field}
            templateColumns={isNarrow ? '1fr' : '12rem 1fr 1fr'}
            columnGap="4"
            rowGap="1"
            py="2"
            borderBottomWidth="1px"
          >
            <Box as="dt" fontWeight="medium" overflowWrap="anywhere">
              {findText(`auditFields.${field}`) ?? findText(`settingNames.${field}`) ?? field}
            </Box>
            {was && <Value label={t('audit.before')} text={was.text} isCut={!isOpen} />}
            {is && <Value label={t('audit.after')} text={is.text} isCut={!isOpen} />}
          </Grid>
        ))}
      </Box>
      {(isOpen || isCut || isPart || fields.length > SHOWN_FIELDS) && (
        <Button
          mt="1.5"
          size="xs"
          variant="ghost"
          aria-expanded={isOpen}
          aria-describedby={describedBy}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('audit.less') : t('audit.more')}
        </Button>
      )}
    </Box>
  );
}

/** Whether a value of the list is cut. An open list is not measured, so that its button stays. */
function useCut(isOpen: boolean): [ref: RefCallback<HTMLElement>, isCut: boolean] {
  const [isCut, setCut] = useState(false);
  const ref = useCallback(
    (list: HTMLElement | null) => {
      if (!list || isOpen) return;
      const values = () => [...list.querySelectorAll('dd > p')];
      const measure = () => setCut(values().some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(list);
      return () => observer.disconnect();
    },
    [isOpen],
  );
  return [ref, isCut];
}

interface ValueProps {
  label: string;
  text: string;
  isCut: boolean;
}

function Value({ label, text, isCut }: ValueProps) {
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
