import { Box, Button, Flex, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { InputOf } from '../../../api/operation-types.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { type Confirmation, ConfirmWriteDialog } from '../../page/ConfirmWriteDialog.tsx';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface SettingFormProps<Value> {
  readonly stored: Value;
  /** Returns the field of the body that holds the value. */
  readonly bodyOf: (value: Value) => Omit<InputOf<'updateSchoolSettings'>['body'], 'schoolDb'>;
  readonly faultOf?: (value: Value) => string | false;
  /** Returns a question to ask before the value is saved; false for none. */
  readonly questionFor?: (value: Value) => (Omit<Confirmation, 'run'> & { confirmLabel: string }) | false;
  readonly children: (setting: Setting<Value>) => ReactNode;
  /** Content beside the form. */
  readonly aside?: (value: Value) => ReactNode;
}

interface Setting<Value> {
  readonly value: Value;
  readonly choose: (value: Value) => void;
  readonly isChanged: boolean;
  readonly fault: string | false | undefined;
}

/** A form for one setting of the school. */
export function SettingForm<Value>(props: SettingFormProps<Value>) {
  const { stored, bodyOf, faultOf, questionFor, children, aside } = props;
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const open = useOpenDialog();
  const [chosen, setChosen] = useState<{ readonly value: Value } | null>(null);
  const attempt = useRunWrite();
  const { value } = chosen ?? { value: stored };
  const isChanged = JSON.stringify(bodyOf(value)) !== JSON.stringify(bodyOf(stored));
  const save = defineWrite('updateSchoolSettings', { body: { schoolDb, ...bodyOf(value) } }, () => {
    // Keeps the choice if the user has changed it while it was being saved.
    setChosen((now) => (now === chosen ? null : now));
    return t('saved');
  });
  const { form, shown } = useForm({ value: faultOf?.(value) }, () => {
    const question = questionFor?.(value);
    if (question) open((dialog) => <ConfirmWriteDialog {...dialog} {...question} run={save} />);
    else attempt.run(save);
  });
  return (
    <form {...form}>
      <Flex direction={{ base: 'column', md: 'row' }} gap={24} mt="md">
        <Stack flex={1}>
          {children({ value, choose: (next) => setChosen({ value: next }), isChanged, fault: shown.value })}
          <FailureAlert error={attempt.error} />
          <Group>
            <Button type="submit" loading={attempt.isPending} disabled={!isChanged}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
        {aside && <Box w={{ md: 280 }}>{aside(value)}</Box>}
      </Flex>
    </form>
  );
}
