import { SegmentedControl } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { usePageSearch } from '../../page/use-page-search.ts';
import { type ClassContentProps, ClassPageGate } from '../ClassPageGate.tsx';
import { optionsOf } from '../parts.tsx';
import { AttendanceList } from './AttendanceList.tsx';
import { PastDays } from './PastDays.tsx';
import { texts } from './texts.ts';

export function AttendancePage() {
  const t = useTexts(texts);
  return (
    <ClassPageGate
      title={t('title')}
      off={{ tool: 'attendance', icon: IconLock, title: t('offTitle'), hint: t('offHint') }}
      chooseHint={t('chooseClassHint')}
    >
      {(content) => <AttendanceOfClass {...content} />}
    </ClassPageGate>
  );
}

function AttendanceOfClass({ of: { id }, picker }: ClassContentProps) {
  const t = useTexts(texts);
  const { search, change } = usePageSearch('/attendance');
  return (
    <>
      <PageHeader
        title={t('title')}
        choice={picker}
        actions={
          <SegmentedControl
            aria-label={t('view')}
            value={search.past ? 'past' : 'sheet'}
            onChange={(view) => change({ past: view === 'past' || undefined })}
            data={optionsOf({ sheet: t('sheet'), past: t('past') })}
          />
        }
      />
      {search.past ? (
        <PastDays key={id} classId={id} />
      ) : (
        <AttendanceList
          key={`${id} ${search.day}`}
          classId={id}
          day={search.day}
          onDay={(day) => change({ day })}
        />
      )}
    </>
  );
}
