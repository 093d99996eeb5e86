import type { ClassSummary } from '@classledger/contract';
import { Button, Stack } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMe } from '../me.ts';
import { texts } from './texts.ts';

interface GraduatedClassProps {
  readonly of: ClassSummary;
  readonly picker: ReactNode;
}

export function GraduatedClass({ of: { id, name, gradeName }, picker }: GraduatedClassProps) {
  const t = useTexts(texts);
  const me = useMe();
  return (
    <EmptyState
      icon={IconSchool}
      title={t('graduatedTitle', { name: `${gradeName} ${name}` })}
      hint={t('graduatedHint')}
      action={
        <Stack gap="sm" mt="xs" align="center">
          <Button
            renderRoot={(props) => <Link to="/students" search={{ class: id }} {...props} />}
            variant="default"
          >
            {t('toStudents')}
          </Button>
          {me.classId === null && picker}
        </Stack>
      }
    />
  );
}
