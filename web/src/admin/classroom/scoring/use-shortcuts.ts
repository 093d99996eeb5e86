import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useTimer } from '../timer/TimerPanel.tsx';
import { useBoardSettings, useScoring } from './board-context.ts';
import type { PointChange } from './scoring-board.ts';
import { useTemplateShortcuts } from './TemplateButtons.tsx';
import { texts } from './texts.ts';

/** Actions by the key's name in lower case; "mod+z" stands for Ctrl+Z and Cmd+Z. */
type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const textInputs =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]';
const arrowKeyControls = '[type="radio"], [role="menu"], [role="slider"]';

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest(textInputs) !== null;

/** Handles keys anywhere on the page, except while the user types or `enabled` is false. */
export function useShortcuts(shortcuts: Shortcuts, enabled: boolean): void {
  useWindowEvent('keydown', (event) => {
    const { target } = event;
    if (isTyping(target)) return;
    // Stops a held Enter or Space from pressing a button repeatedly.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
    if (!enabled || event.defaultPrevented || event.isComposing || event.altKey) return;
    if (event.key.startsWith('Arrow') && target instanceof Element && target.closest(arrowKeyControls))
      return;
    const mod = event.ctrlKey || event.metaKey;
    // Ignores Ctrl or Cmd with Shift, which often means redo: this page has no redo.
    if (mod && event.shiftKey) return;
    const key = event.key.toLowerCase();
    const run = shortcuts[mod ? `mod+${key}` : key];
    if (!run) return;
    event.preventDefault();
    // Only arrow keys repeat while held; other keys would give points or undo repeatedly.
    if (!event.repeat || key.startsWith('arrow')) run(event);
  });
}

interface BoardShortcutsOptions {
  readonly searchField: RefObject<HTMLInputElement | null>;
  readonly isEnabled: boolean;
  readonly onGive: (pointChange: PointChange) => void;
  readonly onEscape: () => void;
  readonly onPick: () => void;
  readonly onHelp: () => void;
}

export function useBoardShortcuts(options: BoardShortcutsOptions): void {
  const { searchField, isEnabled, onGive, onEscape, onPick, onHelp } = options;
  const t = useTexts(texts);
  const { board, announce } = useScoring();
  const [{ singleKeys }] = useBoardSettings();
  const hasPick = useIsToolEnabled('pick');
  const { offered: hasTimer, timer, change: changeTimer } = useTimer();
  const templates = useTemplateShortcuts(onGive);
  const focusFirst = () => document.querySelector<HTMLElement>(`[data-student="${board.shown[0]}"]`)?.focus();
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
