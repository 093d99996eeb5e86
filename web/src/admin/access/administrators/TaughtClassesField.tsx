import { limits } from 'virtual:contract';
import { Box, Button, CloseButton, Fieldset, Group, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Hint } from '../../../components/Hint.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { addTaughtRow, type TaughtRow, taughtFault } from './taught-classes.ts';
import { texts } from './texts.ts';

interface TaughtClassesFieldProps {
  readonly schoolDb: string;
  readonly value: readonly TaughtRow[];
  readonly onChange: (rows: readonly TaughtRow[]) => void;
  /** Returns whether the form hides a class, because the user cannot assign it. */
  readonly isFixed: (classId: number | null) => boolean;
  readonly error?: string;
}

/** The classes that an administrator teaches, each with a subject. */
export function TaughtClassesField(props: TaughtClassesFieldProps) {
  const { schoolDb, value: rows, onChange, isFixed, error } = props;
  const t = useTexts(texts);
  const me = useMe();
  const change = (row: TaughtRow, changed: Partial<TaughtRow>) =>
    onChange(rows.map((one) => (one === row ? { ...one, ...changed } : one)));
  return (
    <Fieldset variant="unstyled" legend={t('teaches')} styles={{ legend: legendStyle }}>
      <Hint>{t('teachesHint')}</Hint>
      {rows
        .filter(({ classId }) => !isFixed(classId))
        .map((row) => {
          const fault = error === undefined ? null : taughtFault(rows, row);
          return (
            <Group key={row.key} gap="xs" mt="xs" wrap="nowrap" align="start">
              <Box flex={1} miw={0}>
                <ClassPicker
                  schoolDb={schoolDb}
                  gradeId={me.gradeId}
                  value={row.classId}
                  onChange={(classId) => change(row, { classId })}
                  error={fault !== null && t(fault)}
                />
              </Box>
              <TextInput
                flex={1}
                miw={0}
                aria-label={t('subject')}
                placeholder={t('subject')}
                value={row.subject}
                onChange={(event) => change(row, { subject: event.currentTarget.value })}
                maxLength={limits.nameLengthMax}
              />
              <CloseButton
                size="lg"
                aria-label={t('removeTaught')}
                onClick={() => onChange(rows.filter((one) => one !== row))}
              />
            </Group>
          );
        })}
      <Button
        variant="subtle"
        size="compact-sm"
        mt="xs"
        leftSection={<IconPlus aria-hidden size={16} />}
        onClick={() => onChange(addTaughtRow(rows))}
        disabled={rows.length >= limits.taughtClassesMax}
      >
        {t('addTaught')}
      </Button>
    </Fieldset>
  );
}

/** Looks like the labels of the other fields. */
const legendStyle = { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500, marginBottom: 0 };
