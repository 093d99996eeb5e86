import { limits } from 'virtual:contract';
import { Button, Group, NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

const bounds = { min: limits.eraseLeaversAfterDaysMin, max: limits.eraseLeaversAfterDaysMax };

interface Draft {
  readonly mode: 'never' | 'after';
  readonly days: number | string;
}

const eraseAfterDaysOf = ({ mode, days }: Draft): number | null => (mode === 'never' ? null : Number(days));

export function LeaversForm({ stored }: { readonly stored: number | null }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [asking, setAsking] = useState(false);
  const { mode, days } = draft ?? { mode: stored === null ? 'never' : 'after', days: stored ?? 365 };
  const change = useMutationWithNotice(
    'updateSchoolSettings',
    () => t('saved'),
    (_, { body }) => {
      // Keeps the choice if the user has changed it while it was being saved.
      setDraft((now) => (now && eraseAfterDaysOf(now) === body.eraseLeaversAfterDays ? null : now));
      setAsking(false);
    },
  );
  const number = Number(days);
  const isWrong = !Number.isInteger(number) || number < bounds.min || number > bounds.max;
  const wanted = eraseAfterDaysOf({ mode, days });
  const save = () => change.mutate({ body: { schoolDb, eraseLeaversAfterDays: wanted } });
  // Asks for a confirmation only if the change erases data.
  const { form, shown } = useForm({ days: mode === 'after' && isWrong && t('daysWrong', bounds) }, () =>
    wanted === null ? save() : setAsking(true),
  );
  return (
    <form {...form}>
      <Stack>
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
        {!asking && <FailureAlert error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={wanted === stored}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
      <ConfirmLeaversDialog
        days={number}
        opened={asking}
        onClose={() => setAsking(false)}
        change={change}
        onConfirm={save}
      />
    </form>
  );
}

interface ConfirmLeaversDialogProps {
  readonly days: number;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly change: Parameters<typeof ConfirmDialog>[0]['mutation'];
}

function ConfirmLeaversDialog({ days, opened, onClose, onConfirm, change }: ConfirmLeaversDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const disabled = useOperation('listUsers', { query: { schoolDb, disabled: true } }, { enabled: opened });
  const count = disabled.data?.filter(({ erased }) => !erased).length;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('confirmTitle')}
      confirmLabel={t('confirm')}
      danger
      onConfirm={onConfirm}
      {...(change && { mutation: change })}
    >
      <Text size="sm">{t('confirmText', { count: days })}</Text>
      {count !== undefined && <Text size="sm">{t('confirmNow', { count })}</Text>}
    </ConfirmDialog>
  );
}
