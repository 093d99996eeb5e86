import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';

/** The full-screen mode for an interactive display. The address holds it, so a reload stays in it. */
export function useFullScreen() {
  const { board: isOn = false } = useSearch({ from: '/shell/scoring' });
  const navigate = useNavigate({ from: '/scoring' });
  useLayoutEffect(() => {
    // Dialogs and menus stand outside the page's element, so the root has the mark.
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
    fillScreen();
    void navigate({ search: (before) => ({ ...before, board: true }), resetScroll: false });
  };
  const leave = () => {
    void navigate({ search: ({ board: _, ...before }) => before, replace: true });
  };
  return { isOn, enter, leave };
}

/** Needs a press. Without the browser's full screen, the page fills the window. */
export function fillScreen(): void {
  void document.documentElement.requestFullscreen?.().catch(() => {});
}
