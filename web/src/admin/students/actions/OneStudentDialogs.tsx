import type { ListedStudent } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { classLabelOf } from './student-action.ts';
import { texts } from './texts.ts';

interface OneStudentProps extends DialogProps {
  readonly student: ListedStudent;
}

export function MoveStudentDialog({ student, opened, onClose }: OneStudentProps) {
  const { textOf } = useStudentNames();
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [chosen, setChosen] = useState<{ of: number; classId: number | null } | null>(null);
  const classId = chosen?.of === student.id ? chosen.classId : null;
  const close = () => {
    setChosen(null);
    restart();
    move.reset();
    onClose();
  };
  const move = useMutationOf('updateUser', {
    onSuccess: (data) => {
      const text = { name: textOf(data), class: classLabelOf(data) };
      notifications.show({ message: t('moved', text) });
      close();
    },
  });
  const { submit, shown, restart } = useForm({ class: classId === null && t('chooseClass') }, () => {
    if (classId !== null) move.mutate({ params: { id: student.id }, body: { schoolDb, classId } });
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('moveTitle', { name: textOf(student) })}
      confirmLabel={t('moveConfirm')}
      onConfirm={submit}
      mutation={move}
    >
      <ClassPicker
        schoolDb={schoolDb}
        value={classId ?? student.classId}
        onChange={(id) => setChosen({ of: student.id, classId: id })}
        withLabel
        error={shown.class}
      />
      <Text size="sm">{t('moveText')}</Text>
    </ConfirmDialog>
  );
}

export function DisableStudentDialog({ student, opened, onClose }: OneStudentProps) {
  const { textOf } = useStudentNames();
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const disable = useMutationWithNotice(
    'updateUser',
    (data) => t('disabledDone', { name: textOf(data) }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('disableTitle', { name: textOf(student) })}
      confirmLabel={t('disable')}
      onConfirm={() => disable.mutate({ params: { id: student.id }, body: { schoolDb, disabled: true } })}
      mutation={disable}
    >
      <Text size="sm">{t('disableText')}</Text>
    </ConfirmDialog>
  );
}

export function DeleteStudentDialog({
  student,
  opened,
  onClose,
  onDeleted,
}: OneStudentProps & { readonly onDeleted?: () => void }) {
  const { textOf } = useStudentNames();
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const mayDo = useMayDo();
  const remove = useMutationOf('deleteUser', {
    onSuccess: () => {
      notifications.show({ message: t('deleted', { name: textOf(student) }) });
      onClose();
      onDeleted?.();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: textOf(student) })}
      confirmLabel={t('delete')}
      danger
      typedText={student.username}
      onConfirm={() => remove.mutate({ params: { id: student.id }, query: { schoolDb } })}
      mutation={remove}
    >
      <Text size="sm">{t('deleteRecords', { count: student.scoreCount })}</Text>
      {!student.disabled && (
        <Text size="sm" c="dimmed">
          {t('deleteInstead')}
        </Text>
      )}
      {!student.erased && mayDo('managePersonalData') && (
        <Text size="sm" c="dimmed">
          {t('eraseInstead')}
        </Text>
      )}
    </ConfirmDialog>
  );
}
