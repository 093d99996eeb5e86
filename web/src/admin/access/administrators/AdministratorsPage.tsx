import { rangeOfRole, roles } from 'virtual:admin-contract';
import type { Administrator } from '@classledger/contract';
import { Box, Button, List, Select, Text, Tooltip } from '@mantine/core';
import { IconHistory, IconKey, IconShieldOff, IconUpload, IconUserShield } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { RowName, StatusBadge, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { SearchField } from '../../../components/list/SearchField.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useMe } from '../../me.ts';
import { ListPage } from '../../page/ListPage.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite } from '../../page/write.ts';
import { SchoolScopeSwitch, useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import type { FilterProps } from '../../search-parameters.ts';
import { texts as shellTexts } from '../../shell/texts.ts';
import { NewPasswordDialog } from '../../students/passwords/PasswordDialog.tsx';
import { UnlinkMenuEntry } from '../../UnlinkMenuEntry.tsx';
import { type AdministratorsSearch, accountStates } from '../search.ts';
import { AdministratorForm } from './AdministratorForm.tsx';
import { accountLabel, isAffiliationComplete } from './affiliation.ts';
import { shortenTaughtClasses } from './taught-classes.ts';
import { texts } from './texts.ts';

export default function AdministratorsPage() {
  const t = useTexts(texts);
  const mayManage = useMayDo()('manageAdministrators');
  const { all } = useSearch({ from: '/shell/administrators' });
  const { schoolDb, everything } = useSchoolScope(all);
  const columns = useColumns(everything);
  const actions = useActions(schoolDb);
  return (
    <ListPage
      path="/administrators"
      list="listAdministrators"
      input={({ q, role, state }, paging) => ({
        query: { schoolDb, search: q, role, disabled: state && state === 'disabled', ...paging },
      })}
      title={t('title')}
      description={t(mayManage ? 'description' : 'descriptionRead')}
      headActions={
        mayManage &&
        schoolDb !== undefined && (
          <Button
            variant="default"
            leftSection={<IconUpload aria-hidden size={16} />}
            component={Link}
            to="/administrators/class-teachers"
          >
            {t('teachersFromList')}
          </Button>
        )
      }
      create={
        mayManage ? { label: t('add'), open: (dialog) => <AdministratorForm {...dialog} /> } : undefined
      }
      filters={(search, show, isFiltered) =>
        // Only managers see enough accounts to need filters.
        (mayManage || isFiltered) && <Filters search={search} onChange={show} />
      }
      count={(count) => t('count', { count })}
      columns={columns}
      nameOf={accountLabel}
      actions={actions}
      empty={{ icon: IconUserShield, title: t('emptyTitle'), hint: t('emptyHint') }}
    >
      {mayManage && <Rules />}
    </ListPage>
  );
}

function Filters({ search, onChange }: FilterProps<AdministratorsSearch>) {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  return (
    <>
      <SchoolScopeSwitch all={search.all} onChange={(all) => onChange({ all })} />
      <SearchField
        placeholder={t('searchHint')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <Select
        aria-label={t('role')}
        placeholder={t('allRoles')}
        data={roles.map((role) => ({ value: role, label: s(role) }))}
        value={search.role ?? null}
        onChange={(role) => onChange({ role: role ?? undefined })}
        clearable
      />
      <Select
        aria-label={t('state')}
        placeholder={t('allStates')}
        data={accountStates.map((state) => ({ value: state, label: t(state) }))}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: state ?? undefined })}
        clearable
      />
    </>
  );
}

function useActions(schoolDb: string | undefined): (administrator: Administrator) => readonly RowAction[] {
  const t = useTexts(texts);
  const me = useMe();
  const isManaged = useManaged(schoolDb);
  return (administrator) => {
    const { id, username, disabled, schoolId } = administrator;
    const name = accountLabel(administrator);
    const params = { id };
    const sentences = { 403: t('refused') };
    const setDisabled = (next: boolean) =>
      defineWrite('updateAdministrator', { params, body: { disabled: next } }, () =>
        t(next ? 'disabledDone' : 'enabledDone', { name }),
      );
    const always: readonly RowAction[] = [
      {
        label: t('showActivity'),
        icon: IconHistory,
        link: (link) => (
          <Link to="/activity" search={{ admin: id, ...(schoolId === null && { all: true }) }} {...link} />
        ),
      },
      isManaged(administrator) && {
        kind: 'edit',
        open: (dialog) => <AdministratorForm {...dialog} administrator={administrator} />,
      },
    ];
    if (!isManaged(administrator) || id === me.id) return always;
    return [
      ...always,
      {
        label: t('resetPassword'),
        icon: IconKey,
        ask: {
          title: t('newPasswordTitle', { name }),
          text: t('resetText'),
          run: defineWrite('resetAdministratorPassword', { params }, ({ initialPassword }) => (next) => (
            <NewPasswordDialog
              {...next}
              title={t('newPasswordTitle', { name })}
              account={username}
              password={initialPassword}
            >
              <Button onClick={next.onClose}>{t('done')}</Button>
            </NewPasswordDialog>
          )),
          sentences,
        },
      },
      {
        label: t('resetFactor'),
        icon: IconShieldOff,
        ask: {
          title: t('resetFactorTitle', { name }),
          text: t('resetFactorText'),
          danger: true,
          run: defineWrite('resetSecondFactor', { params }, () => t('resetFactorDone', { name })),
          sentences: { ...sentences, 409: t('noFactor') },
        },
      },
      {
        label: 'unlink',
        entry: (
          <UnlinkMenuEntry
            who="administrator"
            id={id}
            schoolDb={schoolId === null ? null : `school_${schoolId}`}
          />
        ),
      },
      disabled
        ? { kind: 'enable', run: setDisabled(false) }
        : {
            kind: 'disable',
            ask: {
              title: t('disableTitle', { name }),
              text: t('disableText'),
              run: setDisabled(true),
              sentences,
            },
          },
      {
        remove: {
          title: t('deleteTitle', { name }),
          text: (
            <>
              <Text size="sm">{t('deleteText')}</Text>
              <Hint>{t('insteadDisable')}</Hint>
            </>
          ),
          typedText: username,
          run: defineWrite('deleteAdministrator', { params }, () => t('deletedDone', { name })),
          sentences,
        },
      },
    ];
  };
}

/** Returns a function that is true for administrators whom the user may change; the server lists them. */
function useManaged(schoolDb: string | undefined): (administrator: Administrator) => boolean {
  const { role } = useMe();
  const ask = useMayDo()('manageAdministrators') && role !== 'super_admin';
  const { data } = useOperation('listManagedAdministrators', { query: { schoolDb } }, { enabled: ask });
  return ({ id }) => role === 'super_admin' || (data?.some((managed) => managed.id === id) ?? false);
}

function Rules() {
  const t = useTexts(texts);
  return (
    <Box component="details" mt={28} c="dimmed" fz="sm">
      <Box component="summary" w="fit-content" py={10} style={{ cursor: 'pointer' }}>
        {t('rulesTitle')}
      </Box>
      <List size="sm" spacing={4} maw="75ch">
        <List.Item>{t('rule1')}</List.Item>
        <List.Item>{t('rule2')}</List.Item>
        <List.Item>{t('rule3')}</List.Item>
      </List>
    </Box>
  );
}

function useColumns(withSchool: boolean): Column<Administrator>[] {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  return [
    {
      header: t('account'),
      cell: ({ id, username, name }) => (
        <>
          <RowName>{name ?? username}</RowName>
          {name !== null && <Hint span>{` ${username}`}</Hint>}
          {id === me.id && <Hint span>{` (${t('you')})`}</Hint>}
        </>
      ),
    },
    { header: t('role'), cell: ({ role }) => s(role) },
    {
      header: t('range'),
      cell: (administrator) => <RangeText administrator={administrator} withSchool={withSchool} />,
    },
    {
      header: t('state'),
      cell: ({ disabled }) => (
        <StatusBadge color={disabled ? 'gray' : 'plus'} label={t(disabled ? 'disabled' : 'active')} />
      ),
    },
    {
      header: t('created'),
      phone: 'hidden',
      cell: ({ createdAt }) => <DateText value={createdAt} as="day" />,
    },
  ];
}

interface RangeTextProps {
  readonly administrator: Administrator;
  readonly withSchool: boolean;
}

function RangeText({ administrator, withSchool }: RangeTextProps) {
  const t = useTexts(texts);
  const { role, schoolName, gradeName, className, teaches } = administrator;
  const range = rangeOfRole[role];
  if (range === 'everything') return t('everything');
  const { shown, more } = shortenTaughtClasses(teaches);
  const classes = shown.join(t('comma'));
  const taught = more > 0 ? t('andMore', { classes, more, count: teaches.length }) : classes;
  const place = {
    school: t('wholeSchool'),
    grade: gradeName,
    class: `${gradeName} ${className}`,
    nothing: taught || t('teachesNone'),
  }[range];
  const under = [
    withSchool && schoolName,
    range !== 'nothing' && taught !== '' && t('teachesThese', { classes: taught }),
  ].filter(Boolean);
  return (
    <TwoLines under={under.length > 0 && under.join(' · ')}>
      {!isAffiliationComplete(administrator) ? (
        <Tooltip
          label={t('strandedHint')}
          multiline
          maw={280}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Text span inherit c="var(--app-minus)">
            {t('stranded')}
          </Text>
        </Tooltip>
      ) : (
        place
      )}
    </TwoLines>
  );
}
