import type { ListedStudent, StudentExport } from '@classledger/contract';
import { List, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { useStudentNames } from '../../../components/student-names.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useTimeZone } from '../../../school-time/school-time.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function ExportDataDialog({
  student,
  opened,
  onClose,
}: DialogProps & { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const timeZone = useTimeZone();
  const [format, setFormat] = useState('page');
  const save = async (data: StudentExport) => {
    const name = t('fileName', { username: data.username });
    if (format === 'page') {
      const { personalDataPage } = await import('./export-page.ts');
      saveFile(`${name}.html`, new Blob([personalDataPage(data, language, timeZone)], { type: 'text/html' }));
    } else {
      saveFile(`${name}.json`, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
    }
    notifications.show({ message: t('exported') });
    onClose();
  };
  const read = useMutationOf('exportUser', { onSuccess: (data) => void save(data) });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('exportTitle', { name: textOf(student) })}
      confirmLabel={t('download')}
      onConfirm={() => read.mutate({ params: { id: student.id }, query: { schoolDb } })}
      mutation={read}
    >
      <Text size="sm">{t('exportText')}</Text>
      <Radio.Group label={t('format')} value={format} onChange={setFormat}>
        <Stack gap="xs">
          <Radio value="page" label={t('asPage')} description={t('asPageHint')} />
          <Radio value="data" label={t('asData')} description={t('asDataHint')} />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {t('exportLogged')}
      </Text>
    </ConfirmDialog>
  );
}

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
