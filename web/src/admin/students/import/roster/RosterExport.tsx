import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { readWholeList } from '../../../../api/read-all.ts';
import { FailureAlert } from '../../../../components/FailureAlert.tsx';
import { saveFile } from '../../../../components/save-file.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { rosterArchive } from '../../../../rosters/write-roster.ts';
import { useSchoolTime } from '../../../../school-time/school-time.ts';
import classes from '../../../lists/Lists.module.css';
import { useSchool } from '../../../school.tsx';
import { texts } from './texts.ts';

type State = { readonly done: number; readonly total: number } | null;

export function RosterExport() {
  const t = useTexts(texts);
  const { id, name, schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const [reading, setReading] = useState<State>(null);
  const [missing, setMissing] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setReading({ done: 0, total: 0 });
    setError(null);
    try {
      const query = { schoolDb };
      const onProgress = (done: number, total: number) => setReading({ done, total });
      const [grades, own, students] = await Promise.all([
        call('listSchoolGrades', { query }),
        call('listSchoolClasses', { query }),
        readWholeList('listUsers', query, { onProgress }),
      ]);
      setMissing(students.missing);
      const present = students.rows.filter(({ erased }) => !erased);
      const content = {
        school: { id, name, schoolDb },
        grades,
        classes: own,
        students: present,
        today: today(),
      };
      const archive = rosterArchive(content);
      saveFile(
        `${name} ${t('fileName')} ${today()}.zip`,
        new Blob([archive.slice().buffer], { type: 'application/zip' }),
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setReading(null);
    }
  };
  return (
    <Paper className={classes.result ?? ''}>
      <Title order={2} size="h3">
        {t('exportTitle')}
      </Title>
      <Group justify="space-between" mt="xs">
        <Text c="dimmed" size="sm" maw={560}>
          {reading ? t('exporting', reading) : t('exportText')}
        </Text>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={reading !== null}
          onClick={() => void save()}
        >
          {t('exportButton')}
        </Button>
      </Group>
      {missing > 0 && (
        <Alert color="yellow" role="alert" mt="sm">
          {t('exportMissing', { count: missing })}
        </Alert>
      )}
      <FailureAlert error={error} />
    </Paper>
  );
}
