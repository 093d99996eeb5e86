import type { School } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { RenameSchoolDialog } from '../SchoolNameDialogs.tsx';
import { texts } from '../school-texts.ts';
import type { SchoolAction } from './SchoolMenu.tsx';

interface SchoolDialogProps extends SchoolAction, DialogProps {}

/** Shows the dialog chosen in a school's menu. The caller keeps it mounted while it fades out. */
export function SchoolDialog({ kind, ...props }: SchoolDialogProps) {
  switch (kind) {
    case 'rename':
      return <RenameSchoolDialog {...props} />;
    case 'disable':
      return <DisableSchoolDialog {...props} />;
    case 'delete':
      return <DeleteSchoolDialog {...props} />;
  }
}

interface OneSchoolProps extends DialogProps {
  readonly school: School;
}

function DisableSchoolDialog({ school, opened, onClose }: OneSchoolProps) {
  const t = useTexts(texts);
  const disable = useMutationWithNotice('updateSchool', ({ name }) => t('disabledDone', { name }), onClose);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('disableTitle', { name: school.name })}
      confirmLabel={t('disable')}
      danger
      onConfirm={() => disable.mutate({ params: { id: school.id }, body: { disabled: true } })}
      mutation={disable}
    >
      <List spacing={6} pe="md">
        <List.Item>{t('disablePeople')}</List.Item>
        <List.Item>{t('disableCredentials')}</List.Item>
        <List.Item>{t('disableData')}</List.Item>
        <List.Item>{t('disableBack')}</List.Item>
      </List>
    </ConfirmDialog>
  );
}

function DeleteSchoolDialog({ school, opened, onClose }: OneSchoolProps) {
  const t = useTexts(texts);
  const { schools, school: chosen, choose } = useSchools();
  const remove = useMutationOf('deleteSchool', {
    onSuccess: ({ id, name }) => {
      notifications.show({ message: t('deletedDone', { name }) });
      onClose();
      const other = schools.find((one) => one.id !== id);
      if (chosen?.id === id && other) choose(other.schoolDb);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: school.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={school.name.trim()}
      onConfirm={() => remove.mutate({ params: { id: school.id } })}
      mutation={remove}
    >
      <Counts school={school} asked={remove.variables?.params.id !== school.id || remove.isError} />
      <Text size="sm" c="dimmed">
        {t('deleteCredentials')} {school.disabled ? '' : t('deleteInstead')}
      </Text>
    </ConfirmDialog>
  );
}

interface CountsProps {
  readonly school: School;
  readonly asked: boolean;
}

function Counts({ school: { schoolDb }, asked }: CountsProps) {
  const t = useTexts(texts);
  const query = { schoolDb, limit: 1 };
  const options = { enabled: asked };
  const grades = useOperationList('listSchoolGrades', { query }, options);
  const classes = useOperationList('listSchoolClasses', { query }, options);
  const students = useOperationList('listUsers', { query }, options);
  const administrators = useOperationList('listAdministrators', { query }, options);
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
        <List.Item>{t('studentCount', { count: students.data.total })}</List.Item>
        <List.Item>{t('administrators', { count: administrators.data.total })}</List.Item>
      </List>
    </>
  );
}
