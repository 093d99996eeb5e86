import { limits } from 'virtual:contract';
import { Button, Group, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ConfirmWriteDialog } from '../../page/ConfirmWriteDialog.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

const bounds = { min: limits.eraseLeaversAfterDaysMin, max: limits.eraseLeaversAfterDaysMax };

interface Draft {
  readonly mode: 'never' | 'after';
  readonly days: number | string;
}

export function LeaversForm({ stored }: { readonly stored: number | null }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const open = useOpenDialog();
  const [draft, setDraft] = useState<Draft | null>(null);
  const { mode, days } = draft ?? { mode: stored === null ? 'never' : 'after', days: stored ?? 365 };
  const attempt = useRunWrite();
  const number = Number(days);
  const isWrong = !Number.isInteger(number) || number < bounds.min || number > bounds.max;
  const wanted = mode === 'never' ? null : number;
  const body = { schoolDb, eraseLeaversAfterDays: wanted };
  const save = defineWrite('updateSchoolSettings', { body }, () => {
    // Keeps the choice if the user has changed it while it was being saved.
    setDraft((now) => (now === draft ? null : now));
    return t('saved');
  });
  const ask = () =>
    open((dialog) => (
      <ConfirmWriteDialog
        {...dialog}
        title={t('confirmTitle')}
        text={<Consequences days={number} />}
        confirmLabel={t('confirm')}
        danger
        run={save}
      />
    ));
  // Asks for a confirmation only if the change erases data.
  const { form, shown } = useForm({ days: mode === 'after' && isWrong && t('daysWrong', bounds) }, () =>
    wanted === null ? attempt.run(save) : ask(),
  );
  return (
    <form {...form}>
      <Stack mt="md">
        <Radio.Group
          aria-label={t('leaversTitle')}
          value={mode}
          onChange={(value) => setDraft({ mode: value === 'after' ? 'after' : 'never', days })}
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
              onChange={(value) => setDraft({ mode, days: value })}
              allowDecimal={false}
              allowNegative={false}
              maw={280}
              error={shown.days}
            />
            <Text size="sm">{t('whatGoes')}</Text>
          </>
        )}
        <FailureAlert error={attempt.error} />
        <Group>
          <Button type="submit" loading={attempt.isPending} disabled={wanted === stored}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
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
