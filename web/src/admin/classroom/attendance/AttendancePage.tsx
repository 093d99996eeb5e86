import { SegmentedControl } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { ClassPageGate } from '../ClassPageGate.tsx';
import { AttendanceList } from './AttendanceList.tsx';
import { PastDays } from './PastDays.tsx';
import { texts } from './texts.ts';

export function AttendancePage() {
  const t = useTexts(texts);
  const { search, change, turnTo } = usePageSearch('/attendance');
  if (!useIsToolEnabled('attendance')) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState icon={IconLock} title={t('offTitle')} hint={t('offHint')} />
      </>
    );
  }
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {({ id }, picker) => (
        <>
          <PageHeader
            title={t('title')}
            choice={picker}
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
          {search.past ? (
            <PastDays key={id} classId={id} search={search} onChange={change} onPage={turnTo} />
          ) : (
            <AttendanceList
              key={`${id} ${search.day}`}
              classId={id}
              day={search.day}
              onDay={(day) => change({ day })}
            />
          )}
        </>
      )}
    </ClassPageGate>
  );
}
