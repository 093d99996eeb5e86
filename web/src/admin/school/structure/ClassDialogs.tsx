import type { ClassSummary } from '@classledger/contract';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { GradePicker } from '../../../components/StructurePickers.tsx';
import { useChange } from '../../../components/use-change.ts';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { TakenAlong } from './GradeDialogs.tsx';
import { texts } from './texts.ts';

interface ClassDialogProps extends DialogProps {
  readonly of: ClassSummary;
}

/** Renames a class. */
export function RenameClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const rename = useChange(
    'updateSchoolClass',
    ({ name }) => t('renamed', { before: of.name, after: name }),
    onClose,
  );
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('renameTitle', { name: of.name })}
      label={t('name')}
      name={of.name}
      submitLabel={t('save')}
      onSubmit={(name) =>
        name === of.name ? onClose() : rename.mutate({ params: { id: of.id }, body: { schoolDb, name } })
      }
      mutation={rename}
      sentences={{ 404: t('gone'), 409: t('classNameTaken') }}
    />
  );
}

/** Moves a class with everyone in it to another grade. */
export function MoveClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [gradeId, setGradeId] = useState(of.gradeId);
  const move = useChange(
    'updateSchoolClass',
    ({ name, gradeName }) => t('moved', { name, grade: gradeName }),
    onClose,
  );
  const { submit, shown } = useForm({ grade: gradeId === of.gradeId && t('chooseGrade') }, () =>
    move.mutate({ params: { id: of.id }, body: { schoolDb, gradeId } }),
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('moveTitle', { name: of.name })}
      confirmLabel={t('moveConfirm')}
      onConfirm={submit}
      mutation={move}
      sentences={{ 404: t('gone'), 409: t('moveTaken') }}
    >
      <GradePicker
        schoolDb={schoolDb}
        value={gradeId}
        onChange={(id) => setGradeId(id ?? of.gradeId)}
        withLabel
        error={shown.grade}
      />
      <div>
        <Text size="sm">
          {of.studentCount === 0 ? t('moveTextNone') : t('moveText', { count: of.studentCount })}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {t('moveAdmins')}
        </Text>
      </div>
    </ConfirmDialog>
  );
}

/** Deletes a class with its students; its name must be typed. */
export function DeleteClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationOf('deleteSchoolClass', {
    onSuccess: ({ name, cascadeDeleted }) => {
      const students = t('studentCount', { count: cascadeDeleted.students });
      notifications.show({
        message:
          cascadeDeleted.students === 0 ? t('deletedEmpty', { name }) : t('deletedClass', { name, students }),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: of.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={of.name}
      onConfirm={() => remove.mutate({ params: { id: of.id }, query: { schoolDb } })}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <TakenAlong students={of.studentCount} />
    </ConfirmDialog>
  );
}
