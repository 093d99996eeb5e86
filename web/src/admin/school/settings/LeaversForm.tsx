import { limits } from 'virtual:contract';
import { NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { SettingForm } from './SettingForm.tsx';
import { texts } from './texts.ts';

const bounds = { min: limits.eraseLeaversAfterDaysMin, max: limits.eraseLeaversAfterDaysMax };

interface Leavers {
  readonly mode: 'never' | 'after';
  readonly days: number | string;
}

const isWrong = (days: number) => !Number.isInteger(days) || days < bounds.min || days > bounds.max;

export function LeaversForm({ stored }: { readonly stored: number | null }) {
  const t = useTexts(texts);
  return (
    <SettingForm<Leavers>
      stored={{ mode: stored === null ? 'never' : 'after', days: stored ?? 365 }}
      bodyOf={({ mode, days }) => ({ eraseLeaversAfterDays: mode === 'never' ? null : Number(days) })}
      faultOf={({ mode, days }) => mode === 'after' && isWrong(Number(days)) && t('daysWrong', bounds)}
      // Asks for a confirmation only if the change erases data.
      questionFor={({ mode, days }) =>
        mode === 'after' && {
          title: t('confirmTitle'),
          text: <Consequences days={Number(days)} />,
          confirmLabel: t('confirm'),
          danger: true,
        }
      }
    >
      {({ value: { mode, days }, choose, fault }) => (
        <>
          <Radio.Group
            aria-label={t('leaversTitle')}
            value={mode}
            onChange={(value) => choose({ mode: value === 'after' ? 'after' : 'never', days })}
          >
            <Stack gap="sm">
              <Radio value="never" label={t('never')} description={t('neverHint')} />
              <Radio value="after" label={t('after')} description={t('afterHint')} />
            </Stack>
          </Radio.Group>
          {mode === 'after' && (
            <>
              <NumberInput
                label={t('days')}
                description={t('daysHint', bounds)}
                value={days}
                onChange={(value) => choose({ mode, days: value })}
                allowDecimal={false}
                allowNegative={false}
                maw={280}
                error={fault}
              />
              <Text size="sm">{t('whatGoes')}</Text>
            </>
          )}
        </>
      )}
    </SettingForm>
  );
}

function Consequences({ days }: { readonly days: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const disabled = useOperation('listUsers', { query: { schoolDb, disabled: true } });
  const count = disabled.data?.filter(({ erased }) => !erased).length;
  return (
    <>
      <Text size="sm">{t('confirmText', { count: days })}</Text>
      {count !== undefined && <Text size="sm">{t('confirmNow', { count })}</Text>}
    </>
  );
}
