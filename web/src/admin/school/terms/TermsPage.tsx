import type { Term } from '@classledger/contract';
import { IconCalendarEvent, IconFlag } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { DateText } from '../../../components/DateText.tsx';
import { StatusBadge } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useOnlyClassId } from '../../me.ts';
import { PageLink } from '../../PageLink.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { useSchool } from '../../school.tsx';
import { CloseTermDialog } from './CloseTermDialog.tsx';
import { TermDetails, useClassLabel } from './TermDetails.tsx';
import { texts } from './texts.ts';

export default function TermsPage() {
  const { term } = useSearch({ from: '/shell/terms' });
  return term === undefined ? <History /> : <TermDetails id={term} />;
}

function History() {
  const t = useTexts(texts);
  const mayClose = useMayDo()('switchTerms');
  const onlyClassId = useOnlyClassId();
  const { schoolDb } = useSchool();
  const { class: classId = null } = useSearch({ from: '/shell/terms' });
  const columns = useTermColumns();
  return (
    <ListPage
      path="/terms"
      list="listTerms"
      input={({ class: only }, paging) => ({ query: { schoolDb, classId: only, ...paging } })}
      title={t('title')}
      description={mayClose ? t('description') : undefined}
      label={t('history')}
      filters={({ class: only = null }, show) =>
        onlyClassId === null && (
          <ClassPicker
            schoolDb={schoolDb}
            value={only}
            onChange={(id) => show({ class: id ?? undefined })}
            withAll
          />
        )
      }
      columns={columns}
      nameOf={({ name }) => name}
      create={
        mayClose
          ? {
              label: t('closeTerm'),
              icon: IconFlag,
              open: (dialog) => <CloseTermDialog {...dialog} firstClassId={classId} />,
            }
          : undefined
      }
      empty={{
        icon: IconCalendarEvent,
        title: t('emptyTitle'),
        hint: t(mayClose ? 'emptyHint' : 'emptyHintReader'),
      }}
      noMatch={{ title: t('noMatchTitle'), hint: t('noMatchHint') }}
    />
  );
}

function useTermColumns(): readonly Column<Term>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const onlyClassId = useOnlyClassId();
  const classLabel = useClassLabel();
  const classColumn: Column<Term> = { header: t('class'), cell: classLabel };
  return [
    {
      header: t('columnTerm'),
      cell: ({ id, name }) => (
        <PageLink
          to="/terms"
          search={(before) => ({ ...before, term: id })}
          c="inherit"
          fz="inherit"
          fw={600}
        >
          {name}
        </PageLink>
      ),
    },
    ...(onlyClassId === null ? [classColumn] : []),
    {
      header: t('standings'),
      cell: ({ action }) => (
        <StatusBadge
          color={action === 'archive' ? 'teal' : 'gray'}
          label={t(action === 'archive' ? 'archived' : 'discarded')}
        />
      ),
    },
    { header: t('columnStudents'), align: 'end', cell: ({ students }) => format.number(students) },
    { header: t('columnRecords'), align: 'end', cell: ({ records }) => format.number(records) },
    { header: t('columnBy'), phone: 'hidden', cell: ({ closedBy }) => closedBy?.username ?? t('nobody') },
    {
      header: t('columnClosed'),
      align: 'end',
      cell: ({ closedAt }) => <DateText value={closedAt} as="day" />,
    },
  ];
}
