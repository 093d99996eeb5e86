import type { ClassSummary } from '@classledger/contract';
import { Button, Group } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorState } from '../../components/ErrorState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { ClassChoice } from '../../components/StructurePickers.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useChosenClass, useSchool } from '../school.tsx';
import { GraduatedClass } from './GraduatedClass.tsx';
import { texts } from './texts.ts';
import { UnknownClass } from './UnknownClass.tsx';

interface ClassPageGateProps {
  readonly title: string;
  readonly chooseHint: string;
  readonly noneHint: string;
  readonly children: (shown: ClassSummary, picker: ReactNode) => ReactNode;
}

export function ClassPageGate({ title, chooseHint, noneHint, children }: ClassPageGateProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { classId, choose, isUnknown, graduated } = useChosenClass();
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  const shown = classes.data?.find(({ id }) => id === classId);
  const picker = <ClassChoice schoolDb={schoolDb} value={shown?.id ?? null} onChange={choose} />;
  if (shown) return children(shown, picker);
  const content = () => {
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
  };
  return (
    <>
      <PageHeader title={title} />
      {content()}
    </>
  );
}
