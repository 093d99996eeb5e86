import type { ImportRun } from '@classledger/contract';
import { Badge, Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DateText } from '../../../../components/DateText.tsx';
import type { Column } from '../../../../components/list/data-table-types.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { PageLink } from '../../../PageLink.tsx';
import { ListPage } from '../../../page/ListPage.tsx';
import { useSchool } from '../../../school.tsx';
import { texts as studentsTexts } from '../../texts.ts';
import { runNameOf, texts } from './texts.ts';

export default function ImportsPage() {
  const t = useTexts(texts);
  const s = useTexts(studentsTexts);
  const { schoolDb } = useSchool();
  const nameOf = (run: ImportRun) => runNameOf(t, run);
  const did = (run: ImportRun) => {
    const parts = (['created', 'changed', 'missing', 'failed'] as const).flatMap((action) => {
      const count = run[`${action}Count`];
      return count > 0 ? t(action, { count }) : [];
    });
    return parts.join(' · ') || t('nothing');
  };
  const columns: readonly Column<ImportRun>[] = [
    {
      header: t('what'),
      cell: (run) => (
        <PageLink to="/imports/$importId" params={{ importId: String(run.id) }}>
          {nameOf(run)}
        </PageLink>
      ),
      phone: 'title',
    },
    { header: t('did'), cell: did },
    {
      header: t('undo'),
      cell: ({ state }) =>
        state === 'finished' ? (
          '–'
        ) : (
          <Badge color={state === 'undone' ? 'gray' : 'yellow'} variant="light">
            {t(`state_${state}`)}
          </Badge>
        ),
    },
    { header: t('who'), cell: ({ username }) => username },
    { header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
  ];
  return (
    <ListPage
      path="/imports"
      list="listImports"
      input={(_, paging) => ({ query: { schoolDb, ...paging } })}
      title={t('title')}
      description={t('description')}
      back={{ to: '/students', label: s('title') }}
      headActions={
        <Button component={Link} to="/students/import">
          {s('importList')}
        </Button>
      }
      count={(count) => t('count', { count })}
      columns={columns}
      nameOf={nameOf}
      empty={{ icon: IconFileImport, title: t('emptyTitle'), hint: t('emptyHint') }}
    />
  );
}
