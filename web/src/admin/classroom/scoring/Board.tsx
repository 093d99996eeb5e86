import type { Student } from '@classledger/contract';
import { Alert } from '@mantine/core';
import { type UseDisclosureReturnValue, useMediaQuery } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { announceMoved, announceOpened } from '../../../press-guard/guard-presses.ts';
import { usePicks } from '../use-picks.ts';
import { BoardCards } from './BoardCards.tsx';
import { useBoardSettings, useOpenPick, useScoring, useStudentNameOf } from './board-context.ts';
import { GivePanel, GiveSheet } from './GivePanel.tsx';
import { PickDialog } from './PickDialog.tsx';
import classes from './Scoring.module.css';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import type { PointChange } from './scoring-board.ts';
import { Toolbar } from './Toolbar.tsx';
import { texts } from './texts.ts';
import { useBoardShortcuts } from './use-shortcuts.ts';

export interface BoardProps {
  readonly roster: UseQueryResult<readonly Student[]>;
  readonly help: UseDisclosureReturnValue;
}

export function Board({ roster, help: [isHelpOpen, helpDialog] }: BoardProps) {
  const t = useTexts(texts);
  const { schoolDb, classId, board, announce } = useScoring();
  const nameOf = useStudentNameOf();
  const isWide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false });
  const [{ view }] = useBoardSettings();
  // Reads the random picks now, for the server's day and for use without a network.
  const picks = usePicks(schoolDb, classId);
  const { picked, setPicked, open: openPick } = useOpenPick(schoolDb, classId);
  const [search, setSearch] = useState('');
  const searchField = useRef<HTMLInputElement>(null);
  // The card from which the keyboard moved to the templates. It gets the focus back, unless a pointer is used.
  const opener = useRef<HTMLElement | null>(null);
  const forgetOpener = () => {
    opener.current = null;
  };
  const returnFocus = () => {
    opener.current?.focus({ preventScroll: true });
    forgetOpener();
  };
  const onSelect = (card: HTMLElement, byKeyboard = false) => {
    if (byKeyboard) {
      opener.current = card;
      announce(board.selection.ids.map(nameOf).join());
      // After a frame, moves the focus to the templates, unless the teacher already types in another field.
      requestAnimationFrame(() => {
        if (document.activeElement !== card) return;
        document.querySelector<HTMLElement>('[data-gives-points]')?.focus();
      });
    } else if (!isWide && board.hasSelection) scrollAboveSheet(card);
  };
  const give = (pointChange: PointChange) => {
    if (!board.hasSelection) announce(t(view === 'teams' ? 'saidSelectTeam' : 'saidSelectStudent'));
    board.give(pointChange);
    returnFocus();
  };
  const selectFirstMatch = () => {
    const [first] = board.shown;
    if (search.trim() === '' || first === undefined) return;
    if (!board.selection.ids.includes(first) || board.selection.isUsed) board.toggle(first);
    setSearch('');
  };
  const Give = isWide ? GivePanel : GiveSheet;
  useBoardShortcuts({
    searchField,
    isEnabled: picked === null && !isHelpOpen,
    onGive: give,
    onEscape: () => {
      board.clearSelection();
      returnFocus();
    },
    onPick: openPick,
    onHelp: helpDialog.open,
  });
  return (
    <div className={classes.layout} data-whole-width="" onPointerDown={forgetOpener}>
      <div>
        <Toolbar
          studentCount={roster.data?.length ?? 0}
          search={search}
          onSearch={setSearch}
          searchField={searchField}
          onSearchEnter={selectFirstMatch}
        />
        {roster.isError && roster.data && (
          <Alert ref={announceShift} color="gray" py="xs" mb="sm">
            {t('stale')}
          </Alert>
        )}
        <BoardCards roster={roster} search={search} onSelect={onSelect} />
      </div>
      <Give onGive={give} onAbsent={returnFocus} />
      {isHelpOpen && <ShortcutsDialog onClose={helpDialog.close} />}
      {picked && roster.data && (
        <PickDialog
          everybody={roster.data}
          picks={picks}
          picked={picked}
          onPick={setPicked}
          onClose={() => setPicked(null)}
        />
      )}
    </div>
  );
}

/** Announces that content above the cards appears and moves them. Returns a function to call when it disappears. */
function announceShift() {
  const announce = () => {
    const cards = document.querySelector('[data-cards]');
    if (cards) announceMoved(cards);
  };
  announce();
  return announce;
}

function scrollAboveSheet(card: HTMLElement): void {
  // Waits a frame for the bottom panel, which makes the page long enough to scroll.
  requestAnimationFrame(() => {
    const { bottom } = card.getBoundingClientRect();
    if (bottom <= window.innerHeight * 0.44) return;
    // Scrolls at once, because during smooth scrolling a finger could hit a card that glides by.
    window.scrollBy(0, bottom - window.innerHeight * 0.42);
    const cards = card.closest('[data-cards]');
    if (cards) announceOpened(cards);
  });
}
