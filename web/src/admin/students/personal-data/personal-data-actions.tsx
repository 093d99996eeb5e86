import type { ListedStudent } from '@classledger/contract';
import { List, Radio, Stack, Text } from '@mantine/core';
import { IconEraser, IconFileExport } from '@tabler/icons-react';
import { call } from '../../../api/call.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useTimeZone } from '../../../school-time/school-time.ts';
import { useMayDo } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function usePersonalDataActions(student: ListedStudent): readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const { id, username, erased } = student;
  if (!useMayDo()('managePersonalData')) return [];
  const save: RowAction = {
    label: t('exportEntry'),
    icon: IconFileExport,
    open: (dialog) => <ExportDataForm {...dialog} student={student} />,
  };
  const erase: RowAction = {
    label: t('eraseEntry'),
    icon: IconEraser,
    ask: {
      title: t('eraseTitle', { name: textOf(student) }),
      confirmLabel: t('eraseConfirm'),
      danger: true,
      typedText: username,
      run: defineWrite('eraseUser', { params: { id }, query: { schoolDb } }, () => t('erased')),
      text: (
        <>
          <List size="sm" spacing={6} pe="md">
            <List.Item>{t('eraseGoes')}</List.Item>
            <List.Item>{t('eraseStays', { pseudonym: t('erasedName', { id: String(id) }) })}</List.Item>
          </List>
          <Text size="sm">{t('eraseFinal')}</Text>
        </>
      ),
    },
  };
  return erased ? [save] : [save, erase];
}

function ExportDataForm({ student, ...dialog }: DialogProps & { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const timeZone = useTimeZone();
  const fileOf = async (format: string) => {
    const data = await call('exportUser', { params: { id: student.id }, query: { schoolDb } });
    const name = t('fileName', { username: data.username });
    if (format === 'data')
      return { name: `${name}.json`, text: JSON.stringify(data, null, 2), type: 'application/json' };
    const { personalDataPage } = await import('./export-page.ts');
    return { name: `${name}.html`, text: personalDataPage(data, language, timeZone), type: 'text/html' };
  };
  return (
    <FormDialog
      {...dialog}
      title={t('exportTitle', { name: textOf(student) })}
      submitLabel={t('download')}
      bodyOf="exportUser"
      values={{ format: 'page' }}
      save={({ format }) => ({
        id: 'exportUser',
        send: async () => {
          const { name, text, type } = await fileOf(format);
          return () => {
            saveFile(name, new Blob([text], { type }));
            return t('exported');
          };
        },
      })}
    >
      {({ values, set }) => (
        <>
          <Text size="sm">{t('exportText')}</Text>
          <Radio.Group label={t('format')} value={values.format} onChange={(format) => set({ format })}>
            <Stack gap="xs">
              <Radio value="page" label={t('asPage')} description={t('asPageHint')} />
              <Radio value="data" label={t('asData')} description={t('asDataHint')} />
            </Stack>
          </Radio.Group>
          <Hint>{t('exportLogged')}</Hint>
        </>
      )}
    </FormDialog>
  );
}
