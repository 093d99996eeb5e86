import { Box, Button, Flex, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { InputOf } from '../../../api/operation-types.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface SettingFormProps<Value> {
  readonly stored: Value;
  /** Returns the field of the body that holds the value. */
  readonly bodyOf: (value: Value) => Omit<InputOf<'updateSchoolSettings'>['body'], 'schoolDb'>;
  readonly children: (value: Value, choose: (value: Value) => void, isChanged: boolean) => ReactNode;
  /** Content beside the form. */
  readonly aside?: (value: Value) => ReactNode;
}

/** A form for one setting of the school. */
export function SettingForm<Value>({ stored, bodyOf, children, aside }: SettingFormProps<Value>) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<{ readonly value: Value } | null>(null);
  const attempt = useRunWrite();
  const { value } = chosen ?? { value: stored };
  const isChanged = JSON.stringify(bodyOf(value)) !== JSON.stringify(bodyOf(stored));
  const save = defineWrite('updateSchoolSettings', { body: { schoolDb, ...bodyOf(value) } }, () => {
    // Keeps the choice if the user has changed it while it was being saved.
    setChosen((now) => (now === chosen ? null : now));
    return t('saved');
  });
  return (
    <Flex
      component="form"
      direction={{ base: 'column', md: 'row' }}
      gap={24}
      mt="md"
      onSubmit={(event) => {
        event.preventDefault();
        attempt.run(save);
      }}
    >
      <Stack flex={1}>
        {children(value, (next) => setChosen({ value: next }), isChanged)}
        <FailureAlert error={attempt.error} />
        <Group>
          <Button type="submit" loading={attempt.isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
      {aside && <Box w={{ md: 280 }}>{aside(value)}</Box>}
    </Flex>
  );
}
