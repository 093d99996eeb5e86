import { limits } from 'virtual:contract';
import { Alert, Button, Group, Modal, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { useOwnStorage } from '../parts.tsx';
import { useAttendance } from '../use-attendance.ts';
import { texts } from './texts.ts';

const kinds = ['present', 'late', 'absent', 'excused'] as const;
type Kind = (typeof kinds)[number];

const pointsIn = (typed: Readonly<Record<Kind, number | string>>): Partial<Record<Kind, number>> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const points = typed[kind];
      return typeof points === 'number' && points !== 0 ? [[kind, points]] : [];
    }),
  );

const noPoints: Readonly<Record<Kind, number | string>> = { present: '', late: '', absent: '', excused: '' };

/** The server gives points, once a day, by the absences that it has received. */
export function AttendancePointsDialog({ classId, ...dialog }: DialogProps & { readonly classId: number }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { unsent, isSaved } = useAttendance(schoolDb, classId);
  const [stored, store] = useOwnStorage<Partial<Record<Kind, number>>>('attendance.points', { present: 1 });
  const open = useOpenDialog();
  return (
    <FormDialog
      {...dialog}
      title={t('giveTitle')}
      submitLabel={t('giveButton')}
      bodyOf="giveForAttendance"
      values={{ ...noPoints, ...stored, description: t('title') }}
      check={(typed) => ({ present: Object.keys(pointsIn(typed)).length === 0 && t('giveNothing') })}
      save={({ description, ...typed }) => {
        const points = pointsIn(typed);
        store(points);
        const body = { schoolDb, classId, description, ...points };
        return defineWrite('giveForAttendance', { body }, ({ given, alreadyGiven }) => {
          if (alreadyGiven > 0) open((next) => <GivenBefore {...next} count={alreadyGiven} />);
          return given === 0 ? t('nobodyGiven') : t('given', { count: given });
        });
      }}
      disabled={!isSaved}
    >
      {({ field }) => (
        <>
          <Text size="sm">{t('giveText')}</Text>
          <SimpleGrid cols={2} spacing="sm">
            {kinds.map((kind) => (
              <NumberInput
                {...field(kind)}
                key={kind}
                label={t(kind === 'present' ? 'givePresent' : kind)}
                placeholder="0"
                min={-limits.scoreChangeMax}
                max={limits.scoreChangeMax}
                allowDecimal={false}
              />
            ))}
          </SimpleGrid>
          <TextInput {...field('description')} label={t('reason')} maxLength={limits.descriptionLengthMax} />
          {unsent > 0 && (
            <Alert color="gray" role="status">
              {t('giveLater', { count: unsent })}
            </Alert>
          )}
        </>
      )}
    </FormDialog>
  );
}

function GivenBefore({ opened, onClose, count }: DialogProps & { readonly count: number }) {
  const t = useTexts(texts);
  return (
    <Modal opened={opened} onClose={onClose} title={t('giveTitle')}>
      <Stack>
        <Alert color="gray" role="status">
          {t('notAgain', { count })} {t('notAgainHint')}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
