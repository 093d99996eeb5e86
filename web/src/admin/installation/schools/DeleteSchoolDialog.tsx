import type { School } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { texts } from '../school-texts.ts';

interface DeleteSchoolDialogProps {
  readonly school: School;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Deletes a school with everything in it, once its name has been typed. */
export function DeleteSchoolDialog({ school, opened, onClose }: DeleteSchoolDialogProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const { schools, school: chosen, choose } = useSchools();
  const remove = useMutationOf('deleteSchool', {
    invalidates: ['listSchools'],
    onSuccess: ({ id, name }) => {
      // Asked for again where they are shown next: the counts of this dialog must not look for what is gone.
      for (const stale of ['listAdministrators', 'listManagedAdministrators'] as const) {
        void client.invalidateQueries({ queryKey: [stale], refetchType: 'none' });
      }
      notifications.show({ message: t('deletedDone', { name }) });
      close();
      const other = schools.find((one) => one.id !== id);
      if (chosen?.id === id && other) choose(other.schoolDb);
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('deleteTitle', { name: school.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={school.name.trim()}
      onConfirm={() => remove.mutate({ params: { id: school.id } })}
      pending={remove.isPending}
      error={remove.error}
    >
      <Counts school={school} />
      <Text size="sm" c="dimmed">
        {t('deleteCredentials')} {school.disabled ? '' : t('deleteInstead')}
      </Text>
    </ConfirmDialog>
  );
}

/** How much is lost with the school; asked for when the dialog opens. */
function Counts({ school: { schoolDb } }: { readonly school: School }) {
  const t = useTexts(texts);
  const query = { schoolDb, limit: 1 };
  const grades = useOperationList('listSchoolGrades', { query });
  const classes = useOperationList('listSchoolClasses', { query });
  const students = useOperationList('listUsers', { query });
  const administrators = useOperationList('listAdministrators', { query });
  const all = [grades, classes, students, administrators];
  if (all.some(({ isPending }) => isPending)) return <LoadingRows rows={4} height={20} />;
  if (!grades.data || !classes.data || !students.data || !administrators.data) {
    return <Text>{t('countsUnknown')}</Text>;
  }
  return (
    <>
      <Text size="sm">{t('deleteIntro')}</Text>
      <List size="sm" spacing={2} fw={600}>
        <List.Item>{t('grades', { count: grades.data.total })}</List.Item>
        <List.Item>{t('classes', { count: classes.data.total })}</List.Item>
        <List.Item>{t('students', { count: students.data.total })}</List.Item>
        <List.Item>{t('administrators', { count: administrators.data.total })}</List.Item>
      </List>
    </>
  );
}
