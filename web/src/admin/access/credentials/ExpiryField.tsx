import { NumberInput, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { serverNow } from '../../../school-time/server-clock.ts';
import { type Expiry, expiryTime, isExpiryUsable, presetDays } from './credential-form.ts';
import { texts } from './texts.ts';

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  readonly maxDays: number;
  readonly present?: string | null;
}

export function ExpiryField({ value, onChange, maxDays, present }: ExpiryFieldProps) {
  const t = useTexts(texts);
  const [custom, setCustom] = useState(false);
  const format = useFormat();
  const presets = presetDays(maxDays);
  const usable = isExpiryUsable(value, maxDays);
  const hint = () => {
    if (value === 'never') return t('neverHint');
    if (value !== 'keep') return usable ? t('endsOn', { day: format.day(expiryTime(value)) }) : '';
    if (present == null) return t('keepNever');
    const ended = Date.parse(present) <= serverNow();
    return t(ended ? 'keepEnded' : 'keepEnds', { day: format.day(present) });
  };
  const choose = (chosen: string | null) => {
    setCustom(chosen === 'custom');
    if (chosen === 'never' || chosen === 'keep') onChange(chosen);
    else if (chosen !== 'custom') onChange(Number(chosen));
    else if (typeof value === 'string') onChange(presets[0] ?? 1);
  };
  return (
    <Stack gap="xs">
      <Select
        label={t('expiry')}
        description={hint()}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={custom ? 'custom' : String(value)}
        onChange={choose}
        data={[
          ...(present === undefined ? [] : [{ value: 'keep', label: t('expiryKeep') }]),
          ...presets.map((days) => ({ value: String(days), label: t('expiryDays', { count: days }) })),
          { value: 'custom', label: t('expiryCustom') },
          { value: 'never', label: t('expiryNever') },
        ]}
        allowDeselect={false}
      />
      {custom && (
        <NumberInput
          label={t('expiryDaysLabel')}
          value={typeof value === 'number' && Number.isFinite(value) ? value : ''}
          onChange={(days) => onChange(days === '' ? Number.NaN : Number(days))}
          min={1}
          max={maxDays}
          clampBehavior="none"
          allowDecimal={false}
          error={!usable && t('expiryInvalid', { max: maxDays })}
        />
      )}
    </Stack>
  );
}
