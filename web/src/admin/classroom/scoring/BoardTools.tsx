import { Tooltip } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import {
  IconArrowsMaximize,
  IconDice5,
  IconKeyboard,
  IconMaximize,
  IconPresentation,
  IconStopwatch,
  IconX,
} from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton, ToolButton } from '../parts.tsx';
import { useTimer } from '../timer/TimerPanel.tsx';
import { useOpenPick } from './board-context.ts';
import { texts } from './texts.ts';

interface BoardToolsProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly onHelp: () => void;
}

export function BoardTools({ schoolDb, classId, onHelp }: BoardToolsProps) {
  const t = useTexts(texts);
  const fullScreen = useFullScreen();
  const hasPick = useIsToolEnabled('pick');
  const { open: openPick } = useOpenPick(schoolDb, classId);
  const { offered: hasTimer, timer, change: changeTimer } = useTimer();
  const { fullscreen: isScreenFilled } = useFullscreenDocument();
  const screenButton = useRef<HTMLButtonElement>(null);
  return (
    <>
      {!fullScreen.isOn && (
        <>
          <Tooltip label={t('shortcuts')}>
            <IconButton
              variant="default"
              size={36}
              icon={IconKeyboard}
              iconSize={20}
              label={t('shortcuts')}
              onClick={onHelp}
              visibleFrom="md"
            />
          </Tooltip>
          <ToolButton
            renderRoot={(props) => (
              <Link to="/projector" search={{ school: schoolDb, class: classId }} {...props} />
            )}
            icon={IconPresentation}
            label={t('projector')}
          />
        </>
      )}
      {hasTimer && (
        <ToolButton
          icon={IconStopwatch}
          label={t('timer')}
          onClick={() => changeTimer({ ...timer, shown: true })}
        />
      )}
      {hasPick && <ToolButton icon={IconDice5} label={t('random')} onClick={openPick} />}
      {fullScreen.isOn && !isScreenFilled && document.fullscreenEnabled && (
        <ToolButton
          icon={IconArrowsMaximize}
          label={t('fillScreen')}
          onClick={() => {
            // This button disappears when the screen is filled.
            screenButton.current?.focus();
            requestFullScreen();
          }}
        />
      )}
      {/* One button for both directions, so that it keeps the focus. */}
      <ToolButton
        ref={screenButton}
        icon={fullScreen.isOn ? IconX : IconMaximize}
        label={t(fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen')}
        onClick={fullScreen.isOn ? fullScreen.leave : fullScreen.enter}
        {...(!fullScreen.isOn && { visibleFrom: 'sm' })}
      />
    </>
  );
}

/** The full-screen mode for an interactive display. It is part of the URL, so that a reload keeps it. */
function useFullScreen() {
  const { board: isOn = false } = useSearch({ from: '/shell/scoring' });
  const navigate = useNavigate({ from: '/scoring' });
  useLayoutEffect(() => {
    if (!isOn) return;
    // Set on the root element, because dialogs and menus are outside of the page's element.
    document.documentElement.toggleAttribute('data-full-screen', true);
    return () => {
      document.documentElement.removeAttribute('data-full-screen');
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [isOn]);
  const enter = () => {
    requestFullScreen();
    void navigate({ search: (before) => ({ ...before, board: true }), resetScroll: false });
  };
  const leave = () => {
    void navigate({ search: ({ board: _, ...before }) => before, replace: true });
  };
  return { isOn, enter, leave };
}

/** Requests the browser's full screen, which needs a press. If refused, the page still fills the window. */
function requestFullScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => {});
}
