import { Button, Group, Paper } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
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
  const saving = useMutation({
    mutationFn: async () => {
      const query = { schoolDb };
      const [grades, classes, users] = await Promise.all([
        call('listSchoolGrades', { query }),
        call('listSchoolClasses', { query }),
        call('listUsers', { query }),
      ]);
      const students = users.filter(({ erased }) => !erased);
      const day = today();
      const school = { id, name, schoolDb };
      const archive = rosterArchive({ school, grades, classes, students, today: day });
      const file = new Blob([archive.slice().buffer], { type: 'application/zip' });
      saveFile(`${name} ${t('fileName')} ${day}.zip`, file);
    },
  });
  return (
    <Paper p={20} bd="1px solid var(--app-line)">
      <Heading>{t('export')}</Heading>
      <Group justify="space-between" mt="xs">
        <Hint maw={560}>{t('exportText')}</Hint>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden size={16} />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {t('exportButton')}
        </Button>
      </Group>
      <FailureAlert error={saving.error} />
    </Paper>
  );
}
