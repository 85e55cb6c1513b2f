import { Box, Button, Flex, Input, Stack, Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { formatDay } from '../../app/i18n/report-formats';
import { FormField } from '../../components/forms/form-field';
import { type Days, daysError, daysOf, type PeriodChoice, PRESETS } from './period';

interface PeriodPickerProps {
  choice: PeriodChoice;
  today: string;
  onChoose: (choice: PeriodChoice) => void;
}

/** Chooses a period by name, or by its first and last day. */
export function PeriodPicker({ choice, today, onChoose }: PeriodPickerProps) {
  const [isOpened, setOpened] = useState(false);
  const isEntering = isOpened || typeof choice === 'object';
  const choose = (chosen: PeriodChoice) => {
    setOpened(false);
    onChoose(chosen);
  };
  const days = daysOf(choice, today);
  return (
    <Stack gap="3">
      <Flex gap="2" wrap="wrap" role="group" aria-label={t('usage.period')}>
        {PRESETS.map((preset) => (
          <Option key={preset} isChosen={!isEntering && choice === preset} onChoose={() => choose(preset)}>
            {t(`usage.period_${preset}`)}
          </Option>
        ))}
        <Option isChosen={isEntering} onChoose={() => setOpened(true)}>
          {t('usage.custom')}
        </Option>
      </Flex>
      {isEntering && <DaysForm days={days} today={today} onChoose={choose} />}
      <Text color="fg.muted" role="status">
        {t('usage.shown', { from: formatDay(days.from), to: formatDay(days.to) })}
      </Text>
    </Stack>
  );
}

interface OptionProps {
  isChosen: boolean;
  onChoose: () => void;
  children: string;
}

function Option({ isChosen, onChoose, children }: OptionProps) {
  return (
    <Button
      size="sm"
      variant={isChosen ? 'subtle' : 'outline'}
      colorPalette={isChosen ? 'jade' : undefined}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      {children}
    </Button>
  );
}

function DaysForm({ days, today, onChoose }: { days: Days; today: string; onChoose: (days: Days) => void }) {
  const [entered, setEntered] = useState(days);
  const [error, setError] = useState<ReturnType<typeof daysError>>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = daysError(entered);
    setError(found);
    if (!found) onChoose(entered);
  };
  const input = (field: 'from' | 'to') => (
    <Box flex="1" minW="9rem" maxW="11rem">
      <FormField label={t(`usage.${field}`)} error={error?.field === field ? error.message : undefined}>
        <Input
          type="date"
          size="sm"
          max={today}
          value={entered[field]}
          onChange={(event) => setEntered({ ...entered, [field]: event.target.value })}
        />
      </FormField>
    </Box>
  );
  return (
    <form noValidate onSubmit={submit}>
      <Flex gap="3" wrap="wrap" align="start">
        {input('from')}
        {input('to')}
        <Button type="submit" size="sm" variant="outline" mt={{ base: 0, sm: '1.625rem' }}>
          {t('usage.show')}
        </Button>
      </Flex>
    </form>
  );
}
