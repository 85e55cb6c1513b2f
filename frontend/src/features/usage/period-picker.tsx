import { Button, Flex, Input, Stack, Text } from '@chakra-ui/react';
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
  const [isEntering, setEntering] = useState(typeof choice === 'object');
  const days = daysOf(choice, today);
  return (
    <Stack gap="3">
      <Flex gap="2" wrap="wrap" role="group" aria-label={t('usage.period')}>
        {PRESETS.map((preset) => (
          <Option
            key={preset}
            isChosen={!isEntering && choice === preset}
            onChoose={() => {
              setEntering(false);
              onChoose(preset);
            }}
          >
            {t(`usage.period_${preset}`)}
          </Option>
        ))}
        <Option isChosen={isEntering} onChoose={() => setEntering(true)}>
          {t('usage.custom')}
        </Option>
      </Flex>
      {isEntering && <DaysForm days={days} today={today} onChoose={onChoose} />}
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
    <FormField label={t(`usage.${field}`)} error={error?.field === field ? error.message : undefined}>
      <Input
        type="date"
        size="sm"
        max={today}
        value={entered[field]}
        onChange={(event) => setEntered({ ...entered, [field]: event.target.value })}
      />
    </FormField>
  );
  return (
    <form noValidate onSubmit={submit}>
      <Flex gap="3" wrap="wrap" align="start">
        <Stack width="11rem">{input('from')}</Stack>
        <Stack width="11rem">{input('to')}</Stack>
        <Button type="submit" size="sm" variant="outline" mt="6.5">
          {t('usage.show')}
        </Button>
      </Flex>
    </form>
  );
}
