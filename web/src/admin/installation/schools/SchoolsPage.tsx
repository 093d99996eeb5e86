import type { School } from '@classledger/contract';
import { Badge, Button, Code, Group } from '@mantine/core';
import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { NoMatch } from '../../../components/list/NoMatch.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { useListSearch } from '../../use-list-search.ts';
import { CreateSchoolDialog } from '../SchoolNameDialogs.tsx';
import { texts } from '../school-texts.ts';
import { useOpenSchool } from '../use-open-school.ts';
import { SchoolDialog } from './SchoolDialog.tsx';
import { type SchoolAction, SchoolMenu } from './SchoolMenu.tsx';
import { matchingSchools, readSchoolsSearch } from './schools-search.ts';

const searchableSchoolsMin = 8;

export function SchoolsPage() {
  const t = useTexts(texts);
  const { search, change } = useListSearch('/schools', readSchoolsSearch);
  const { q = '', create = false } = search;
  const open = useOpenSchool();
  const { school: current } = useSchools();
  const [creating, setCreating] = useState(create);
  // So that a reload does not open the dialog again.
  useEffect(() => {
    if (create) change({ create: undefined });
  }, [create, change]);
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const dialog = useRowDialog<SchoolAction>();
  const columns = useColumns(current?.id ?? null);
  const clear = () => change({ q: undefined });
  const rows = data && matchingSchools(data, q);
  const createButton = (
    <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={() => setCreating(true)}>
      {t('createSchool')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        {...(data?.length !== 0 && { description: t('description'), actions: createButton })}
      />
      {((data?.length ?? 0) >= searchableSchoolsMin || q !== '') && (
        <FilterBar onClear={false}>
          <SearchField
            placeholder={t('searchSchools')}
            value={q}
            onChange={(words) => change({ q: words || undefined })}
          />
        </FilterBar>
      )}
      <DataTable<School>
        label={t('title')}
        columns={columns}
        query={{ data: rows && { rows, total: rows.length }, error, isPending, refetch }}
        rowKey={({ id }) => id}
        empty={
          q === '' ? (
            <EmptyState
              icon={IconBuildingCommunity}
              title={t('emptyTitle')}
              hint={t('emptyHint')}
              action={createButton}
            />
          ) : (
            <NoMatch onClear={clear} />
          )
        }
        actions={(school) => (
          <>
            <Button
              variant={school.id === current?.id ? 'light' : 'default'}
              size="xs"
              mih={{ base: 44, sm: 0 }}
              aria-label={t('openNamed', { name: school.name })}
              onClick={() => open(school.schoolDb)}
            >
              {t('openShort')}
            </Button>
            <SchoolMenu school={school} onAction={(kind) => dialog.open({ kind, school })} />
          </>
        )}
      />
      <CreateSchoolDialog opened={creating} onClose={() => setCreating(false)} />
      {dialog.action && <SchoolDialog {...dialog.action} opened={dialog.opened} onClose={dialog.close} />}
    </>
  );
}

function useColumns(currentId: number | null): Column<School>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'name',
      header: t('name'),
      phone: 'title',
      cell: ({ id, name }) => (
        <Group gap="xs" fw={600}>
          {name}
          {id === currentId && (
            <Badge variant="light" tt="none">
              {t('current')}
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'code', header: t('schoolCode'), cell: ({ schoolDb }) => <Code>{schoolDb}</Code> },
    {
      key: 'state',
      header: t('state'),
      cell: ({ disabled }) =>
        disabled ? (
          <Badge color="gray" variant="light" tt="none">
            {t('disabled')}
          </Badge>
        ) : (
          t('active')
        ),
    },
    { key: 'since', header: t('since'), cell: ({ createdAt }) => <DateText value={createdAt} as="day" /> },
  ];
}
