import { useLocalStorage } from '@mantine/hooks';
import { useCallback } from 'react';
import { useTool } from '../../use-tool.ts';

function playTones(): void {
  // Browsers block sound before the first interaction with a page.
  if (!navigator.userActivation.hasBeenActive) return;
  const context = new AudioContext();
  const start = context.currentTime + 0.02;
  for (const [index, frequency] of [880, 880, 1_175].entries()) {
    const at = start + index * 0.32;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.35, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.28);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.3);
    if (index === 2) tone.onended = () => void context.close();
  }
}

interface Sound {
  readonly offered: boolean;
  readonly on: boolean;
  readonly setOn: (on: boolean) => void;
  readonly play: () => void;
}

/** Plays classroom sounds. They can be switched off per device, or by the school. */
export function useSound(): Sound {
  const offered = useTool('sound');
  const [kept, setOn] = useLocalStorage({
    key: 'classledger.sound',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const on = offered && kept;
  const play = useCallback(() => {
    if (on) playTones();
  }, [on]);
  return { offered, on, setOn, play };
}
