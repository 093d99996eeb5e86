import { ActionIcon, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import {
  IconArmchair,
  IconLayoutGrid,
  IconList,
  IconSearch,
  IconUsersGroup,
  IconX,
} from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Scoring.module.css';
import type { View } from './StudentArea.tsx';
import type { Sort } from './student-order.ts';
import { texts } from './texts.ts';

interface ToolbarProps {
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly withTeams: boolean;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly onFound: () => void;
  readonly children: ReactNode;
}

export function Toolbar(props: ToolbarProps) {
  const { view, onView, withTeams, sort, onSort, search, onSearch, searchField, onFound, children } = props;
  const t = useTexts(texts);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onFound();
    if (event.key === 'Escape') {
      event.preventDefault();
      onSearch('');
      event.currentTarget.blur();
    }
  };
  const views = [
    { value: 'seats', label: t('viewSeats'), Shown: IconArmchair },
    { value: 'cards', label: t('viewCards'), Shown: IconLayoutGrid },
    { value: 'list', label: t('viewList'), Shown: IconList },
    ...(withTeams ? [{ value: 'teams', label: t('viewTeams'), Shown: IconUsersGroup }] : []),
  ];
  return (
    <div className={classes.toolbarFrame}>
      <div className={classes.toolbar}>
        {view !== 'teams' && (
          <TextInput
            ref={searchField}
            type="search"
            aria-label={t('searchLabel')}
            placeholder={t('searchLabel')}
            value={search}
            onChange={(event) => onSearch(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            leftSection={<IconSearch aria-hidden size={16} />}
            rightSection={
              search !== '' && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('clear')}
                  onClick={() => onSearch('')}
                >
                  <IconX aria-hidden size={16} />
                </ActionIcon>
              )
            }
            className={classes.toolbarSearch ?? ''}
          />
        )}
        <SegmentedControl
          className={classes.toolbarView ?? ''}
          aria-label={t('view')}
          value={view}
          onChange={(value) => onView(value as View)}
          data={views.map(({ value, label, Shown }) => ({
            value,
            label: (
              <Group gap={6} wrap="nowrap" justify="center">
                <Shown aria-hidden size={16} />
                {label}
              </Group>
            ),
          }))}
        />
        {view !== 'seats' && view !== 'teams' && (
          <Select
            aria-label={t('sort')}
            value={sort}
            onChange={(value) => onSort((value ?? 'name') as Sort)}
            data={[
              { value: 'seat', label: t('sortSeat') },
              { value: 'name', label: t('sortName') },
              { value: 'total', label: t('sortTotal') },
            ]}
            allowDeselect={false}
            className={classes.toolbarSort ?? ''}
          />
        )}
        {children}
      </div>
    </div>
  );
}
