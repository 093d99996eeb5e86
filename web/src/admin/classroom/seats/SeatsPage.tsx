import { Button, Group } from '@mantine/core';
import { IconSchool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassChoice } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useChosenClass, useSchool } from '../../school.tsx';
import { ClassSeats } from './ClassSeats.tsx';
import { texts } from './texts.ts';

/** Who sits where in a class: the layout of its room, moving students in it, and the plan on paper. */
export function SeatsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [chosen, choose] = useChosenClass();
  const classes = useOperation('listSchoolClasses', { query: { schoolDb } });
  // Where there is one class, there is nothing to choose.
  const only = classes.data?.length === 1 ? classes.data[0] : undefined;
  const shown = only ?? classes.data?.find(({ id }) => id === chosen);
  const picker = <ClassChoice schoolDb={schoolDb} value={shown?.id ?? null} onChange={choose} />;
  const content = () => {
    if (!classes.data) {
      return classes.error ? (
        <ErrorState error={classes.error} onRetry={() => void classes.refetch()} />
      ) : (
        <LoadingRows rows={5} height={64} />
      );
    }
    if (classes.data.length === 0) {
      return (
        <EmptyState
          icon={IconSchool}
          title={t('noClassesTitle')}
          hint={t('noClassesHint')}
          action={
            <Button component={Link} to="/structure" mt="xs">
              {t('toStructure')}
            </Button>
          }
        />
      );
    }
    if (!shown) {
      return (
        <EmptyState
          icon={IconSchool}
          title={t('chooseClassTitle')}
          hint={t('chooseClassHint')}
          action={<Group mt="xs">{picker}</Group>}
        />
      );
    }
    return <ClassSeats key={shown.id} schoolDb={schoolDb} of={shown} picker={picker} />;
  };
  return (
    <>
      {!shown && <PageHeader title={t('title')} />}
      {content()}
    </>
  );
}
