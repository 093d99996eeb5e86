import type { ClassSummary } from '@classledger/contract';
import { Button, Group, Stack } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMe } from '../me.ts';
import { useSchool, useSelectedClass } from '../school.tsx';
import { texts } from './texts.ts';

interface NoClassProps {
  readonly chooseHint: string;
  readonly noneHint: string;
}

/** Explains why a page shows no class, and lets the user choose one. */
export function NoClass({ chooseHint, noneHint }: NoClassProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { choose, isUnknown, graduated } = useSelectedClass();
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const picker = <ClassChoice schoolDb={schoolDb} value={null} onChange={choose} />;
  if (!classes.data) {
    return classes.error ? (
      <ErrorState error={classes.error} onRetry={() => void classes.refetch()} />
    ) : (
      <LoadingRows rows={5} height={64} />
    );
  }
  if (graduated) return <GraduatedClass of={graduated} picker={picker} />;
  if (classes.data.length === 0) {
    return (
      <EmptyState
        icon={IconSchool}
        title={t('noClassesTitle')}
        hint={noneHint}
        action={
          <Button component={Link} to="/structure" mt="xs">
            {t('toStructure')}
          </Button>
        }
      />
    );
  }
  if (isUnknown) return <UnknownClass picker={<Group mt="xs">{picker}</Group>} />;
  return (
    <EmptyState
      icon={IconSchool}
      title={t('chooseClassTitle')}
      hint={chooseHint}
      action={<Group mt="xs">{picker}</Group>}
    />
  );
}

function UnknownClass({ picker }: { readonly picker: ReactNode }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={IconSchool}
      title={t('unknownClassTitle')}
      hint={t('unknownClassHint')}
      action={picker}
    />
  );
}

interface GraduatedClassProps {
  readonly of: ClassSummary;
  readonly picker: ReactNode;
}

function GraduatedClass({ of: { id, name, gradeName }, picker }: GraduatedClassProps) {
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
