import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import {
  type Icon,
  IconArmchair,
  IconLayoutGrid,
  IconList,
  IconSearch,
  IconUserCheck,
  IconUsersGroup,
  IconX,
} from '@tabler/icons-react';
import type { KeyboardEvent, RefObject } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton, optionsOf } from '../parts.tsx';
import { type BoardView, useBoard, useBoardSettings, useScoring } from './board-context.ts';
import classes from './Scoring.module.css';
import { TeamTargetSwitch } from './TeamArea.tsx';
import { texts } from './texts.ts';

interface ToolbarProps {
  readonly studentCount: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly onSearchEnter: () => void;
}

export function Toolbar({ studentCount, search, onSearch, searchField, onSearchEnter }: ToolbarProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const hasTeams = useIsToolEnabled('teams');
  const [{ view, sort }, change] = useBoardSettings();
  const showsTeams = view === 'teams';
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') onSearchEnter();
    if (event.key === 'Escape') {
      event.preventDefault();
      onSearch('');
      event.currentTarget.blur();
    }
  };
  const turnTo = (next: BoardView) => {
    if ((next === 'teams') !== showsTeams) board.clearSelection();
    change({ view: next });
  };
  const views: readonly { value: BoardView; label: string; Shown: Icon }[] = [
    { value: 'seats', label: t('viewSeats'), Shown: IconArmchair },
    { value: 'cards', label: t('viewCards'), Shown: IconLayoutGrid },
    { value: 'list', label: t('viewList'), Shown: IconList },
    ...(hasTeams ? [{ value: 'teams', label: t('viewTeams'), Shown: IconUsersGroup } as const] : []),
  ];
  return (
    <div style={{ containerType: 'inline-size' }}>
      <Group gap="8px 10px" mb={14}>
        {!showsTeams && (
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
                <IconButton
                  size="md"
                  icon={IconX}
                  iconSize={16}
                  label={t('clear')}
                  onClick={() => onSearch('')}
                />
              )
            }
            className={classes.search ?? ''}
          />
        )}
        <SegmentedControl
          className={classes.views ?? ''}
          aria-label={t('view')}
          value={view}
          onChange={turnTo}
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
        {(view === 'cards' || view === 'list') && (
          <Select
            aria-label={t('sort')}
            value={sort}
            onChange={(value) => value && change({ sort: value })}
            data={optionsOf({ seat: t('sortSeat'), name: t('sortName'), total: t('sortTotal') })}
            allowDeselect={false}
            className={classes.sort ?? ''}
          />
        )}
        {showsTeams ? <TeamTargetSwitch /> : <BoardSelectionBar studentCount={studentCount} />}
      </Group>
    </div>
  );
}

/** Shows the same controls with and without a selection, so that the cards below stay in place. */
function BoardSelectionBar({ studentCount }: { readonly studentCount: number }) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const hasSelection = useBoard((now) => now.hasSelection);
  const absent = useBoard((now) => now.absent);
  return (
    <>
      <Group gap={6} wrap="nowrap" className={classes.selectionBar ?? ''}>
        <Button variant="default" onClick={() => board.selectAll()}>
          {t(absent.size > 0 ? 'selectPresent' : 'selectAll')}
        </Button>
        <Button variant="default" onClick={() => board.invert()}>
          {t('invertSelection')}
        </Button>
        <Button variant="default" disabled={!hasSelection} onClick={() => board.clearSelection()}>
          {t('clearSelection')}
        </Button>
        {absent.size > 0 && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconUserCheck aria-hidden size={16} />}
            title={t('allPresentTitle')}
            onClick={() => board.setAbsent([...absent], false)}
          >
            {t('allPresent', { count: absent.size })}
          </Button>
        )}
      </Group>
      {absent.size === 0 && (
        <Hint className={classes.count ?? ''} ms="auto">
          {t('studentCount', { count: studentCount })}
        </Hint>
      )}
    </>
  );
}
