import { Alert, Button, Group, Paper } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { readWholeList } from '../../../../api/read-all.ts';
import { FailureAlert } from '../../../../components/FailureAlert.tsx';
import { Hint } from '../../../../components/Hint.tsx';
import { saveFile } from '../../../../components/save-file.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { rosterArchive } from '../../../../rosters/write-roster.ts';
import { useSchoolTime } from '../../../../school-time/school-time.ts';
import { Heading } from '../../../page/Page.tsx';
import { useSchool } from '../../../school.tsx';
import { texts } from './texts.ts';

export function RosterExport() {
  const t = useTexts(texts);
  const { id, name, schoolDb } = useSchool();
  const { today } = useSchoolTime();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const saving = useMutation({
    mutationFn: async () => {
      setProgress({ done: 0, total: 0 });
      const query = { schoolDb };
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      const [grades, classes, { rows, missing }] = await Promise.all([
        call('listSchoolGrades', { query }),
        call('listSchoolClasses', { query }),
        readWholeList('listUsers', query, { onProgress }),
      ]);
      const students = rows.filter(({ erased }) => !erased);
      const day = today();
      const school = { id, name, schoolDb };
      const archive = rosterArchive({ school, grades, classes, students, today: day });
      const file = new Blob([archive.slice().buffer], { type: 'application/zip' });
      saveFile(`${name} ${t('fileName')} ${day}.zip`, file);
      return missing;
    },
  });
  const { isPending, data: missing = 0 } = saving;
  return (
    <Paper p={20} bd="1px solid var(--app-line)">
      <Heading>{t('export')}</Heading>
      <Group justify="space-between" mt="xs">
        <Hint maw={560}>{isPending ? t('exporting', progress) : t('exportText')}</Hint>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={isPending}
          onClick={() => saving.mutate()}
        >
          {t('exportButton')}
        </Button>
      </Group>
      {missing > 0 && (
        <Alert color="yellow" role="alert" mt="sm">
          {t('exportMissing', { count: missing })}
        </Alert>
      )}
      <FailureAlert error={saving.error} />
    </Paper>
  );
}
