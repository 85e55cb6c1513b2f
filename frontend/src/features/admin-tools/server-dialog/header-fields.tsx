import { Button, Fieldset, Flex, Grid, IconButton, Input, Stack } from '@chakra-ui/react';
import { TOOL_SERVER_LIMITS } from '@tanya/contract';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { PasswordInput } from '../../../components/forms/password-input';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { type HeaderRow, isStored, newRow, SERVER_RULES, type ServerValues } from './server-values';

interface HeaderFieldsProps {
  control: Control<ServerValues>;
  /** Names of the stored headers. Their values are never returned; an empty field keeps one. */
  storedNames: readonly string[];
}

export function HeaderFields({ control, storedNames }: HeaderFieldsProps) {
  const { field, fieldState } = useController({
    control,
    name: 'headers',
    rules: { validate: (rows) => SERVER_RULES.headers(rows, storedNames) },
  });
  const rows = field.value;
  const recoverFocus = useFocusRecovery();
  const [added, setAdded] = useState<number>();
  const add = () => {
    const row = newRow();
    setAdded(row.key);
    field.onChange([...rows, row]);
  };
  return (
    <Fieldset.Root invalid={fieldState.invalid}>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('toolServers.headers')}
      </Fieldset.Legend>
      {!fieldState.invalid && <Fieldset.HelperText textStyle="xs">{hintOf(storedNames)}</Fieldset.HelperText>}
      <Fieldset.ErrorText>{fieldState.error?.message}</Fieldset.ErrorText>
      <Stack ref={recoverFocus} as="ul" listStyleType="none" gap="2" hidden={rows.length === 0}>
        {rows.map((row, index) => (
          <HeaderInputs
            key={row.key}
            row={row}
            number={index + 1}
            isStored={isStored(row.name, storedNames)}
            isAdded={row.key === added}
            inputRef={index === 0 ? field.ref : undefined}
            onChange={(changes) => field.onChange(rows.with(index, { ...row, ...changes }))}
            onRemove={() => field.onChange(rows.toSpliced(index, 1))}
          />
        ))}
      </Stack>
      <Button
        ref={rows.length === 0 ? field.ref : undefined}
        size="xs"
        variant="outline"
        alignSelf="start"
        disabled={rows.length >= TOOL_SERVER_LIMITS.headers}
        onClick={add}
      >
        <Plus aria-hidden /> {t('toolServers.addHeader')}
      </Button>
    </Fieldset.Root>
  );
}

const hintOf = (storedNames: readonly string[]): string =>
  t(storedNames.length > 0 ? 'toolServers.storedHeadersHint' : 'toolServers.headersHint');

interface HeaderInputsProps {
  row: HeaderRow;
  number: number;
  isStored: boolean;
  isAdded: boolean;
  inputRef?: (element: HTMLElement | null) => void;
  onChange: (changes: Partial<HeaderRow>) => void;
  onRemove: () => void;
}

function HeaderInputs({ row, number, isStored, isAdded, inputRef, onChange, onRemove }: HeaderInputsProps) {
  const { headerName, headerValue } = TOOL_SERVER_LIMITS;
  return (
    <Flex as="li" gap="2" align="start">
      <Grid flex="1" minW="0" gap="2" templateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 3fr)' }}>
        <Input
          ref={inputRef}
          autoFocus={isAdded}
          fontFamily="mono"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-label={t('toolServers.headerName', { number })}
          placeholder={t('toolServers.headerNameExample')}
          maxLength={headerName.max}
          value={row.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <PasswordInput
          autoComplete="new-password"
          fontFamily="mono"
          aria-label={t('toolServers.headerValue', { number })}
          placeholder={isStored ? t('toolServers.storedValue') : undefined}
          maxLength={headerValue.max}
          value={row.value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      </Grid>
      <IconButton variant="ghost" aria-label={t('toolServers.removeHeader', { number })} onClick={onRemove}>
        <X />
      </IconButton>
    </Flex>
  );
}
