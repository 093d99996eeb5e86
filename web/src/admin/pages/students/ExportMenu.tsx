import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useFailureText } from '../../../components/failure-text.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable, type TableFormat } from '../../../spreadsheets/write-table.ts';
import { useSchool } from '../../school.tsx';
import { readAllStudents } from './read-all-students.ts';
import { listQuery, type StudentsSearch } from './students-search.ts';
import { texts } from './texts.ts';

const notificationId = 'students-export';

/** Saves all students that the present filter matches, whatever the page. */
export function ExportMenu({ search }: { readonly search: StudentsSearch }) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const failureText = useFailureText();
  const school = useSchool();
  const [busy, setBusy] = useState(false);
  const header = [
    c('username'),
    t('columnName'),
    c('grade'),
    c('class'),
    t('state'),
    t('columnTotal'),
    t('columnPlus'),
    t('columnMinus'),
    t('columnRecords'),
    t('columnCreated'),
  ];
  const save = async (format: TableFormat) => {
    setBusy(true);
    const shared = { id: notificationId, withCloseButton: true };
    notifications.show({ ...shared, message: c('loading'), loading: true, autoClose: false });
    try {
      const students = await readAllStudents(listQuery(school.schoolDb, search), (done, total) =>
        notifications.update({
          ...shared,
          message: t('exporting', { done, total }),
          loading: true,
          autoClose: false,
        }),
      );
      const rows = students.map((student) => [
        student.username,
        student.actualName,
        student.gradeName,
        student.className,
        t(student.disabled ? 'stateDisabled' : 'stateActive'),
        student.totalScore,
        student.addScore,
        student.deductScore,
        student.scoreCount,
        student.createdAt.slice(0, 10),
      ]);
      await saveTable(`${school.name} ${t('fileName')}`, { header, rows }, format);
      notifications.update({
        ...shared,
        message: t('exported', { count: rows.length }),
        loading: false,
        color: 'teal',
        autoClose: 4_000,
      });
    } catch (error) {
      notifications.update({
        ...shared,
        title: t('exportFailed'),
        message: failureText(error),
        loading: false,
        color: 'red',
        autoClose: false,
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload aria-hidden size={16} />} loading={busy}>
          {c('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('xlsx')}>{t('exportXlsx')}</Menu.Item>
        <Menu.Item onClick={() => void save('csv')}>{t('exportCsv')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
