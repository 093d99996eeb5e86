import { Button, Select } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { SearchField } from '../../../components/SearchField.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ReachSwitch, useReach } from '../../ReachSwitch.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import classes from './AdministratorsPage.module.css';
import { type AdministratorsSearch, isFiltered } from './administrators-search.ts';
import { allRoles } from './affiliation.ts';
import { texts } from './texts.ts';

export type SearchChange = {
  readonly [K in keyof AdministratorsSearch]?: AdministratorsSearch[K] | undefined;
};

/** No filter at all. */
export const unfiltered: SearchChange = { q: undefined, role: undefined, state: undefined };

interface AdministratorFiltersProps {
  readonly search: AdministratorsSearch;
  readonly onChange: (change: SearchChange) => void;
}

/** Narrows the list by name, role and state. */
export function AdministratorFilters({ search, onChange }: AdministratorFiltersProps) {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const reach = useReach(search.all === true);
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      {reach.optional && (
        <div className={classes.wide}>
          <ReachSwitch
            everything={reach.everything}
            onChange={(all) => onChange({ all: all || undefined })}
          />
        </div>
      )}
      <SearchField
        className={`${classes.field} ${classes.wide}`}
        placeholder={t('searchPlaceholder')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      <Select
        className={classes.field ?? ''}
        aria-label={t('role')}
        placeholder={t('allRoles')}
        data={allRoles.map((role) => ({ value: role as string, label: s(role) }))}
        value={search.role ?? null}
        onChange={(role) => onChange({ role: allRoles.find((one) => one === role) })}
        clearable
      />
      <Select
        className={classes.field ?? ''}
        aria-label={t('state')}
        placeholder={t('allStates')}
        data={[
          { value: 'active', label: t('active') },
          { value: 'disabled', label: t('disabled') },
        ]}
        value={search.state ?? null}
        onChange={(state) =>
          onChange({ state: state === 'active' || state === 'disabled' ? state : undefined })
        }
        clearable
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff aria-hidden size={16} />}
          onClick={() => onChange(unfiltered)}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}
