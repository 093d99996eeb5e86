import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';

/** The full-screen mode for an interactive display. It is part of the URL, so that a reload keeps it. */
export function useFullScreen() {
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
export function requestFullScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => {});
}
