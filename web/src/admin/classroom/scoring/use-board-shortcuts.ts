import type { RefObject } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useTimer } from '../timer/use-timer.ts';
import { useScoring } from './board-context.ts';
import { focusStudent } from './StudentArea.tsx';
import type { PointChange } from './scoring-board.ts';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useTemplateShortcuts } from './use-templates.ts';

interface BoardShortcuts {
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly isEnabled: boolean;
  readonly onGive: (pointChange: PointChange) => void;
  readonly onEscape: () => void;
  readonly onPick: () => void;
  readonly onHelp: () => void;
}

/** Handles the shortcuts that the help dialog lists. */
export function useBoardShortcuts(props: BoardShortcuts): void {
  const { searchField, isEnabled, onGive, onEscape, onPick, onHelp } = props;
  const t = useTexts(texts);
  const { board, announce } = useScoring();
  const [{ singleKeys }] = useBoardSettings();
  const hasPick = useIsToolEnabled('pick');
  const { offered: hasTimer, timer, change: changeTimer } = useTimer();
  const templates = useTemplateShortcuts(onGive);
  const focusFirst = () => focusStudent(board.shown[0]);
  useShortcuts(
    {
      ...(singleKeys && {
        a: () => board.selectAll(),
        i: () => board.invert(),
        ...(hasPick && { r: onPick }),
        ...(hasTimer && { t: () => changeTimer({ ...timer, shown: !timer.shown }) }),
        '/': () => searchField.current?.focus(),
        ...templates,
      }),
      '?': onHelp,
      escape: onEscape,
      arrowdown: focusFirst,
      arrowright: focusFirst,
      'mod+z': () => {
        if (!board.undoNewest()) announce(t('saidNothingToUndo'));
      },
    },
    isEnabled,
  );
}
