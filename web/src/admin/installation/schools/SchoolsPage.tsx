import type { School } from '@classledger/contract';
import { Badge, Button, Code, Group, List, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useIsMutating } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOperation, useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { StatusBadge } from '../../../components/list/cells.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { NoResults } from '../../../components/list/NoResults.tsx';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { Page } from '../../page/Page.tsx';
import { type RowAction, RowActions } from '../../page/RowActions.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { defineWrite } from '../../page/write.ts';
import { useSchools } from '../../school.tsx';
import NoSchools from '../NoSchools.tsx';
import { SchoolForm, useOpenSchool } from '../SchoolForm.tsx';
import { texts } from '../school-texts.ts';
import { matchingSchools } from '../search.ts';

const searchableSchoolsMin = 8;

export default function SchoolsPage() {
  const t = useTexts(texts);
  const {
    search: { q = '' },
    change: show,
  } = usePageSearch('/schools');
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const { school: current } = useSchools();
  const openSchool = useOpenSchool();
  const columns = useColumns(current?.id ?? null);
  const actions = useActions();
  const rows = data && matchingSchools(data, q);
  return (
    <Page
      title={t('title')}
      description={data?.length === 0 ? undefined : t('description')}
      create={
        data?.length === 0
          ? undefined
          : { label: t('createSchool'), open: (dialog) => <SchoolForm {...dialog} /> }
      }
    >
      {((data?.length ?? 0) >= searchableSchoolsMin || q !== '') && (
        <FilterBar onClear={false}>
          <SearchField
            placeholder={t('searchSchools')}
            value={q}
            onChange={(words) => show({ q: words || undefined })}
          />
        </FilterBar>
      )}
      <DataTable<School>
        label={t('title')}
        columns={columns}
        query={{ data: rows && { rows, total: rows.length }, error, isPending, refetch }}
        rowKey={({ id }) => id}
        empty={q === '' ? <NoSchools /> : <NoResults onClear={() => show({ q: undefined })} />}
        actions={(school) => (
          <>
            <Button
              variant={school.id === current?.id ? 'light' : 'default'}
              size="xs"
              mih={{ base: 44, sm: 0 }}
              aria-label={t('openNamed', { name: school.name })}
              onClick={() => openSchool(school.schoolDb)}
            >
              {t('openShort')}
            </Button>
            <RowActions name={school.name} actions={actions(school)} />
          </>
        )}
      />
    </Page>
  );
}

function useActions(): (school: School) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schools, school: chosen, choose } = useSchools();
  return (school) => {
    const { id, schoolDb, name, disabled } = school;
    const setDisabled = (next: boolean) =>
      defineWrite('updateSchool', { params: { id }, body: { disabled: next } }, () =>
        t(next ? 'disabledDone' : 'enabledDone', { name }),
      );
    return [
      {
        kind: 'rename',
        open: (dialog) => <SchoolForm {...dialog} school={school} />,
      },
      {
        label: t('singleSignOn'),
        icon: IconLogin2,
        link: (link) => <Link to="/sign-in-providers" search={{ school: schoolDb }} {...link} />,
      },
      disabled
        ? { kind: 'enable', run: setDisabled(false) }
        : {
            kind: 'disable',
            ask: {
              title: t('disableTitle', { name }),
              text: (
                <List spacing={6} pe="md">
                  <List.Item>{t('disablePeople')}</List.Item>
                  <List.Item>{t('disableCredentials')}</List.Item>
                  <List.Item>{t('disableData')}</List.Item>
                  <List.Item>{t('disableBack')}</List.Item>
                </List>
              ),
              run: setDisabled(true),
              danger: true,
            },
          },
      {
        remove: {
          title: t('deleteTitle', { name }),
          text: (
            <>
              <Counts schoolDb={schoolDb} />
              <Hint>
                {t('deleteCredentials')} {disabled ? '' : t('deleteInstead')}
              </Hint>
            </>
          ),
          confirmLabel: t('deleteConfirm'),
          typedText: name.trim(),
          run: defineWrite('deleteSchool', { params: { id } }, () => {
            const other = schools.find((one) => one.id !== id);
            if (chosen?.id === id && other) choose(other.schoolDb);
            return t('deletedDone', { name });
          }),
        },
      },
    ];
  };
}

function Counts({ schoolDb }: { readonly schoolDb: string }) {
  const t = useTexts(texts);
  const { schools } = useSchools();
  const query = { schoolDb, limit: 1 };
  // Requests nothing for a school that is being or was deleted.
  const enabled = useIsMutating() === 0 && schools.some((one) => one.schoolDb === schoolDb);
  const grades = useOperationList('listSchoolGrades', { query }, { enabled });
  const classes = useOperationList('listSchoolClasses', { query }, { enabled });
  const students = useOperationList('listUsers', { query }, { enabled });
  const administrators = useOperationList('listAdministrators', { query }, { enabled });
  const all = [grades, classes, students, administrators];
  if (all.some(({ isPending }) => isPending)) return <LoadingRows rows={4} height={20} />;
  if (!grades.data || !classes.data || !students.data || !administrators.data) {
    return <Text>{t('countsUnknown')}</Text>;
  }
  return (
    <>
      <Text size="sm">{t('deleteIntro')}</Text>
      <List size="sm" spacing={2} fw={600}>
        <List.Item>{t('grades', { count: grades.data.total })}</List.Item>
        <List.Item>{t('classes', { count: classes.data.total })}</List.Item>
        <List.Item>{t('studentCount', { count: students.data.total })}</List.Item>
        <List.Item>{t('administrators', { count: administrators.data.total })}</List.Item>
      </List>
    </>
  );
}

function useColumns(currentId: number | null): Column<School>[] {
  const t = useTexts(texts);
  return [
    {
      header: t('name'),
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
    { header: t('schoolCode'), cell: ({ schoolDb }) => <Code>{schoolDb}</Code> },
    {
      header: t('state'),
      cell: ({ disabled }) => (disabled ? <StatusBadge color="gray" label={t('disabled')} /> : t('active')),
    },
    { header: t('since'), cell: ({ createdAt }) => <DateText value={createdAt} as="day" /> },
  ];
}
