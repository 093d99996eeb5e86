import { Group, SegmentedControl } from '@mantine/core';
import { IconLock, IconSchool } from '@tabler/icons-react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassChoice } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useChosenClass, useSchool } from '../../school.tsx';
import { useListAddress } from '../../use-list-address.ts';
import { useTool } from '../../use-tool.ts';
import { UnknownClass } from '../UnknownClass.tsx';
import { readAttendanceSearch } from './attendance-search.ts';
import { PastDays } from './PastDays.tsx';
import { Sheet } from './Sheet.tsx';
import { texts } from './texts.ts';

/** Who of a class is there today, and who was not on past days. */
export function AttendancePage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const offered = useTool('attendance');
  const { classId, choose, isUnknown } = useChosenClass();
  const { search, change, turnTo } = useListAddress('/attendance', readAttendanceSearch);
  const { data: all, error, refetch } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const picker = <ClassChoice schoolDb={schoolDb} value={classId} onChange={choose} />;
  const body = () => {
    if (!offered) return <EmptyState icon={IconLock} title={t('offTitle')} hint={t('offHint')} />;
    if (!all) {
      return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={6} />;
    }
    if (isUnknown) return <UnknownClass picker={<Group mt="xs">{picker}</Group>} />;
    if (classId === null) {
      return (
        <EmptyState
          icon={IconSchool}
          title={t('chooseClassTitle')}
          hint={t('chooseClassHint')}
          action={<Group mt="xs">{picker}</Group>}
        />
      );
    }
    return search.past ? (
      <PastDays key={classId} classId={classId} search={search} onChange={change} onPage={turnTo} />
    ) : (
      <Sheet
        key={`${classId} ${search.day}`}
        classId={classId}
        day={search.day}
        onDay={(day) => change({ day })}
      />
    );
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        {...(classId !== null && { choice: picker })}
        actions={
          <SegmentedControl
            aria-label={t('view')}
            value={search.past ? 'past' : 'sheet'}
            onChange={(view) => change({ past: view === 'past' || undefined, page: undefined })}
            data={[
              { value: 'sheet', label: t('sheet') },
              { value: 'past', label: t('past') },
            ]}
          />
        }
      />
      {body()}
    </>
  );
}
