import { ActionIcon, Button, type MantineBreakpoint, Tooltip } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import {
  IconArrowsMaximize,
  IconDice5,
  IconKeyboard,
  IconMaximize,
  IconPresentation,
  type IconProps,
  IconStopwatch,
  IconX,
} from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, type Ref, useEffect, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useTimer } from '../timer/use-timer.ts';
import { texts } from './texts.ts';
import { useOpenPick } from './use-open-pick.ts';

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
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('shortcuts')}
              onClick={onHelp}
              visibleFrom="md"
            >
              <IconKeyboard aria-hidden size={20} />
            </ActionIcon>
          </Tooltip>
          <Button
            renderRoot={(props) => (
              <Link to="/projector" search={{ school: schoolDb, class: classId }} {...props} />
            )}
            variant="default"
            leftSection={<IconPresentation aria-hidden size={18} />}
          >
            <span className="words-on-wide">{t('projector')}</span>
          </Button>
        </>
      )}
      {hasTimer && (
        <Tool
          icon={IconStopwatch}
          label={t('timer')}
          onClick={() => changeTimer({ ...timer, shown: true })}
        />
      )}
      {hasPick && <Tool icon={IconDice5} label={t('random')} onClick={openPick} />}
      {fullScreen.isOn && !isScreenFilled && document.fullscreenEnabled && (
        <Tool
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
      <Tool
        ref={screenButton}
        icon={fullScreen.isOn ? IconX : IconMaximize}
        label={t(fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen')}
        onClick={fullScreen.isOn ? fullScreen.leave : fullScreen.enter}
        {...(!fullScreen.isOn && { visibleFrom: 'sm' })}
      />
    </>
  );
}

interface ToolProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly icon: ComponentType<IconProps>;
  readonly label: string;
  readonly onClick: () => void;
  readonly visibleFrom?: MantineBreakpoint;
}

function Tool({ icon: Shown, label, ...others }: ToolProps) {
  return (
    <Button variant="default" leftSection={<Shown aria-hidden size={18} />} {...others}>
      <span className="words-on-wide">{label}</span>
    </Button>
  );
}

/** The full-screen mode for an interactive display. It is part of the URL, so that a reload keeps it. */
function useFullScreen() {
  const { board: isOn = false } = useSearch({ from: '/shell/scoring' });
  const navigate = useNavigate({ from: '/scoring' });
  useLayoutEffect(() => {
    // Set on the root element, because dialogs and menus are outside of the page's element.
    document.documentElement.toggleAttribute('data-full-screen', isOn);
    return () => document.documentElement.removeAttribute('data-full-screen');
  }, [isOn]);
  useEffect(() => {
    if (!isOn) return;
    return () => {
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
