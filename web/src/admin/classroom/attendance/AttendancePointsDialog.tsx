import { limits } from 'virtual:contract';
import { Alert, Button, Group, Modal, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { useOwnStorage } from '../parts.tsx';
import { texts } from './texts.ts';

const kinds = ['present', 'late', 'absent', 'excused'] as const;
type Points = Readonly<Partial<Record<(typeof kinds)[number], number | string>>>;

interface AttendancePointsDialogProps {
  readonly classId: number;
  /** Number of unsent absences. The server gives points, once a day, by the absences that it has received. */
  readonly unsent: number;
  readonly isSaved: boolean;
  readonly onClose: () => void;
}

export function AttendancePointsDialog({ classId, unsent, isSaved, onClose }: AttendancePointsDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [storedPoints, storePoints] = useOwnStorage<Points>('attendance.points', { present: 1 });
  const [points, setPoints] = useState(storedPoints);
  const [reason, setReason] = useState(t('title'));
  const [had, setHad] = useState(0);
  const give = useMutationWithNotice(
    'giveForAttendance',
    ({ given }) => (given === 0 ? t('nobodyGiven') : t('given', { count: given })),
    // Stays open if some students already had their points today, to say so.
    ({ alreadyGiven }) => (alreadyGiven === 0 ? onClose() : setHad(alreadyGiven)),
  );
  const wanted = kinds.flatMap((kind) => {
    const value = points[kind];
    return typeof value === 'number' && value !== 0 ? [[kind, value] as const] : [];
  });
  const { form, shown } = useForm({ points: wanted.length === 0 && t('giveNothing') }, () => {
    storePoints(Object.fromEntries(wanted));
    give.mutate({ body: { schoolDb, classId, description: reason.trim(), ...Object.fromEntries(wanted) } });
  });
  if (had > 0) {
    return (
      <Modal opened onClose={onClose} title={t('giveTitle')}>
        <Stack>
          <Alert color="gray" role="status">
            {t('notAgain', { count: had })} {t('notAgainHint')}
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
  return (
    <Modal opened onClose={onClose} title={t('giveTitle')}>
      <form {...form}>
        <Stack>
          <Text size="sm">{t('giveText')}</Text>
          <SimpleGrid cols={2} spacing="sm">
            {kinds.map((kind) => (
              <NumberInput
                key={kind}
                label={t(kind === 'present' ? 'givePresent' : kind)}
                placeholder="0"
                value={points[kind] ?? ''}
                onChange={(value) => setPoints({ ...points, [kind]: value })}
                min={-limits.scoreChangeMax}
                max={limits.scoreChangeMax}
                allowDecimal={false}
                error={kind === 'present' && shown.points}
              />
            ))}
          </SimpleGrid>
          <TextInput
            label={t('reason')}
            value={reason}
            maxLength={limits.descriptionLengthMax}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {unsent > 0 && (
            <Alert color="gray" role="status">
              {t('giveLater', { count: unsent })}
            </Alert>
          )}
          <FormFooter attempt={give} onCancel={onClose} submitLabel={t('giveButton')} disabled={!isSaved} />
        </Stack>
      </form>
    </Modal>
  );
}
