import type { ListedStudent } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function EraseStudentDialog({
  student,
  opened,
  onClose,
}: DialogProps & { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const erase = useMutationWithNotice('eraseUser', () => t('erased'), onClose);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('eraseTitle', { name: textOf(student) })}
      confirmLabel={t('eraseConfirm')}
      danger
      typedText={student.username}
      onConfirm={() => erase.mutate({ params: { id: student.id }, query: { schoolDb } })}
      mutation={erase}
    >
      <List size="sm" spacing={6} pe="md">
        <List.Item>{t('eraseGoes')}</List.Item>
        <List.Item>{t('eraseStays', { pseudonym: c('erasedName', { id: String(student.id) }) })}</List.Item>
      </List>
      <Text size="sm">{t('eraseFinal')}</Text>
    </ConfirmDialog>
  );
}
