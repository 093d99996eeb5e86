import type { GradeSummary } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { useChange } from '../../../components/use-change.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface GradeDialogProps extends DialogProps {
  readonly grade: GradeSummary;
}

/** Renames a grade. */
export function RenameGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const rename = useChange(
    'updateSchoolGrade',
    ({ name }) => t('renamed', { before: grade.name, after: name }),
    onClose,
  );
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('renameTitle', { name: grade.name })}
      label={t('name')}
      name={grade.name}
      submitLabel={t('save')}
      onSubmit={(name) =>
        name === grade.name
          ? onClose()
          : rename.mutate({ params: { id: grade.id }, body: { schoolDb, name } })
      }
      mutation={rename}
      sentences={{ 404: t('gone'), 409: t('gradeNameTaken') }}
    />
  );
}

/** Deletes a grade with everything in it; its name must be typed. */
export function DeleteGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationOf('deleteSchoolGrade', {
    onSuccess: ({ name, cascadeDeleted }) => {
      const classes = t('classes', { count: cascadeDeleted.classes });
      const students = t('studentCount', { count: cascadeDeleted.students });
      notifications.show({
        message:
          cascadeDeleted.classes === 0
            ? t('deletedEmpty', { name })
            : t('deletedGrade', { name, classes, students }),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: grade.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={grade.name}
      onConfirm={() => remove.mutate({ params: { id: grade.id }, query: { schoolDb } })}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <TakenAlong classes={grade.classCount} students={grade.studentCount} />
    </ConfirmDialog>
  );
}

/** What a deletion takes along. */
export function TakenAlong({
  classes = 0,
  students,
}: {
  readonly classes?: number;
  readonly students: number;
}) {
  const t = useTexts(texts);
  if (classes === 0 && students === 0) return <Text size="sm">{t('deleteNothing')}</Text>;
  return (
    <div>
      <Text size="sm">{t('deleteText')}</Text>
      <List size="sm" mt={4}>
        {classes > 0 && <List.Item fw={600}>{t('classes', { count: classes })}</List.Item>}
        {students > 0 && (
          <>
            <List.Item fw={600}>{t('studentCount', { count: students })}</List.Item>
            <List.Item>{t('deleteScores')}</List.Item>
          </>
        )}
      </List>
    </div>
  );
}
