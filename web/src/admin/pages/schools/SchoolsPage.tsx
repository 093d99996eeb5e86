import type { School } from '@classledger/contract';
import { Badge, Button, Code, Group, TextInput } from '@mantine/core';
import { IconBuildingCommunity, IconPlus, IconSearch, IconSearchOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { DataTable } from '../../../components/DataTable.tsx';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/data-table-types.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchools } from '../../school.tsx';
import { DeleteSchoolDialog } from './DeleteSchoolDialog.tsx';
import { DisableSchoolDialog } from './DisableSchoolDialog.tsx';
import { schoolsRoute } from './route.ts';
import { type SchoolAction, SchoolMenu } from './SchoolMenu.tsx';
import { CreateSchoolDialog, RenameSchoolDialog } from './SchoolNameDialogs.tsx';
import { matchingSchools } from './schools-search.ts';
import { texts } from './texts.ts';
import { useOpenSchool } from './use-open-school.ts';

/** With fewer, everybody sees at a glance which is which. */
const searchFrom = 8;

interface Chosen {
  readonly action: SchoolAction;
  readonly school: School;
}

/** All schools of the installation, for super administrators. */
export function SchoolsPage() {
  const t = useTexts(texts);
  const { q = '' } = schoolsRoute.useSearch();
  const navigate = schoolsRoute.useNavigate();
  const open = useOpenSchool();
  const { school: current } = useSchools();
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [dialogOpen, setDialogOpen] = useState(false);
  const columns = useColumns(current?.id ?? null);
  const search = (text: string) =>
    void navigate({ search: text === '' ? {} : { q: text }, replace: true, resetScroll: false });
  const rows = data && matchingSchools(data, q);
  const createButton = (
    <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={() => setCreating(true)}>
      {t('createSchool')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={createButton} />
      {((data?.length ?? 0) >= searchFrom || q !== '') && (
        <TextInput
          type="search"
          aria-label={t('searchSchools')}
          placeholder={t('searchSchools')}
          leftSection={<IconSearch aria-hidden size={16} />}
          value={q}
          onChange={(event) => search(event.currentTarget.value)}
          maw={400}
          mb="md"
        />
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
            <EmptyState
              icon={IconSearchOff}
              title={t('noMatchTitle')}
              hint={t('noMatchHint')}
              action={
                <Button variant="default" onClick={() => search('')}>
                  {t('clearSearch')}
                </Button>
              }
            />
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
            <SchoolMenu
              school={school}
              onAction={(action) => {
                setChosen({ action, school });
                setDialogOpen(true);
              }}
            />
          </>
        )}
      />
      <CreateSchoolDialog opened={creating} onClose={() => setCreating(false)} />
      {chosen && <SchoolDialog {...chosen} opened={dialogOpen} onClose={() => setDialogOpen(false)} />}
    </>
  );
}

interface SchoolDialogProps extends Chosen {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Stays there while it closes, so that it does not vanish at once. */
function SchoolDialog({ action, ...props }: SchoolDialogProps) {
  switch (action) {
    case 'rename':
      return <RenameSchoolDialog {...props} />;
    case 'disable':
      return <DisableSchoolDialog {...props} />;
    case 'delete':
      return <DeleteSchoolDialog {...props} />;
  }
}

function useColumns(currentId: number | null): Column<School>[] {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  return [
    {
      key: 'name',
      header: c('name'),
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
    { key: 'key', header: t('key'), cell: ({ schoolDb }) => <Code>{schoolDb}</Code> },
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
