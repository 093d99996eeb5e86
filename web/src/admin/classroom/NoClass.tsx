import { Button, Group } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useSchool, useSelectedClass } from '../school.tsx';
import { GraduatedClass } from './GraduatedClass.tsx';
import { texts } from './texts.ts';
import { UnknownClass } from './UnknownClass.tsx';

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
